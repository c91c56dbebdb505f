// Maps to tap on: what is read, what is doubtful, and the score that follows every correction.

import { look } from './join.js';

const COATS = ['dot', 'two-dots', 'stripe', 'two-stripes', 'quarters', 'black'], LETTERS = 'dDsSqb';
const MOST_BYTES = 25e6;
const by = id => document.getElementById(id);
const make = (tag, text, parent) => { const e = document.createElement(tag); e.textContent = text ?? '';
  if (parent) parent.append(e); return e; };
const token = document.querySelector('meta[name="token"]').content;
const tell = text => { by('told').textContent = text; };
let photo = null, maps = [], books = [], tapped = [], earlier = [], asked = 0;

async function ask(path, data) {
  const kind = data instanceof Blob ? 'application/octet-stream' : 'application/json';
  const headers = {'Content-Type': kind, 'X-Pipwatch-Token': token};
  try {
    const body = data instanceof Blob ? data : JSON.stringify(data);
    const answer = await fetch('/sheets/' + path, {method: 'POST', headers, body});
    if (answer.status === 401) look();
    if (answer.status === 403) return {ok: false, error: 'This page is out of date: load it again.'};
    const told = answer.headers.get('Content-Type')?.startsWith('application/json') ? await answer.json()
      : {blob: await answer.blob()};
    return {ok: answer.ok, status: answer.status, ...told};
  } catch { return {ok: false, error: 'The connection was lost: try again.'}; }
}
const told = m => ({rows: m.rows, roof: m.roof, named: m.named || null, doubts: m.doubts});
const asTold = () => ({maps: maps.map(m => ({...told(m), used_p1: m.used_p1, used_p6: m.used_p6,
  unnamed: m.unnamed}))});
const kept = (map, m) => ({...map, ...told(m), said: m.said, unnamed: map.unnamed && !m.said,
  read: m.read, looked: m.looked});
// What was named with P5 pays for each domain of its coat: other squares matter, too.
const settle = map => { map.doubts = [...new Set([...map.read, ...(map.named_doubts[map.named] ?? [])])]
  .filter(one => !map.looked.has(one)); };
const nameOf = number => maps[number].name || `Map ${number + 1}`;

// The photos of one game: what is told of earlier ones stays as it was corrected.
async function send(files, more) {
  for (const file of files) {
    if (file.size > MOST_BYTES) { tell(`A photo may have up to ${MOST_BYTES / 1e6} MB.`); return; }
    tell('Reading…');
    if (!more) { clear(); photo = null; books = []; }
    const answer = await ask(more && photo ? `read?after=${photo}` : 'read', file);
    show(answer, more ? maps : []);
    if (!answer.ok) return;
    more = true;
  }
}
by('file').onchange = event => send(event.target.files, false);
by('more').onchange = async event => { await send(event.target.files, true); event.target.value = ''; };
async function table() {
  tell('Reading…'); clear();
  show(await ask('table', {}));
}
if (by('table')) {
  by('table').onclick = table;
  if (location.hash === '#table') { history.replaceState(null, '', location.pathname); table(); }
}
function clear() {
  asked += 1; maps = []; tapped = []; by('maps').replaceChildren(); by('books').replaceChildren();
  by('outcome').textContent = ''; by('after').hidden = true; by('corners').hidden = true;
}
function show(answer, before = []) {
  if (!answer.ok && answer.status !== 422 && before.length) { tell(answer.error); return; }
  clear(); earlier = before;
  if (answer.status === 422) {
    photo = answer.photo; by('photo').src = `/sheets/${photo}/photo.jpg`; by('corners').hidden = false;
    document.querySelectorAll('.dot').forEach(dot => dot.remove());
  }
  if (!answer.ok) { tell(answer.error || 'Something went wrong.'); return; }
  photo = answer.photo; books = answer.spellbooks;
  maps = answer.maps.map((map, k) => k < before.length ? kept(map, before[k])
    : {...map, read: map.doubts, looked: new Set()});
  tell(maps.some(map => map.doubts.length) ? 'Look at the squares that are framed, and tap them.'
    : maps.length ? 'Tap a square to correct it.' : 'Add the photos of both maps.');
  maps.forEach((map, number) => board(map, number));
  books.forEach(spells); by('after').hidden = false;
  if (maps.length) score();
}
function spells(lines) {
  make('h2', 'Spellbook', by('books'));
  const list = make('ul', '', by('books'));
  lines.forEach(line => make('li', line, list));
}
by('photo').onclick = async event => {
  const img = event.target, box = img.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
  const dot = make('div', '', img.parentElement); dot.className = 'dot';
  dot.style.left = 100 * x + '%'; dot.style.top = 100 * y + '%';
  tapped.push([x * img.naturalWidth, y * img.naturalHeight]);
  if (tapped.length < 4) return;
  const corners = tapped; tell('Reading…');
  const answer = await ask(photo + '/corners', {corners});
  if (answer.ok) show(answer, earlier);
  else { tell(answer.error); tapped = []; document.querySelectorAll('.dot').forEach(dot => dot.remove()); }
};

function board(map, number) {
  const part = make('section', '', by('maps')); part.className = 'map';
  const head = make('h2', '', part); make('span', nameOf(number), head);
  map.total = make('span', '', head);
  const frame = make('div', '', part); frame.className = 'board';
  const img = make('img', '', frame); img.src = `/sheets/${photo}/${number}.jpg`;
  img.alt = nameOf(number) + ', from straight above';
  const squares = make('div', '', frame); squares.className = 'squares'; map.buttons = {};
  map.rows.forEach((row, r) => row.forEach((token, c) => {
    const name = `r${r + 1}c${c + 1}`, button = make('button', '', squares);
    if (token === 'C') { button.disabled = true; return; }
    button.type = 'button'; map.buttons[name] = button; make('span', '', button);
    button.onclick = () => pick(map, r, c);
  }));
  const roof = make('label', ' roof coloured', part), box = document.createElement('input');
  box.type = 'checkbox'; box.checked = map.roof; roof.prepend(box);
  box.onchange = () => { map.roof = box.checked; score(); };
  const named = make('label', ' coat named with P5 ', part), list = make('select', '', named);
  make('option', 'none', list).value = '';
  COATS.forEach(coat => { make('option', coat.replace('-', ' '), list).value = coat; });
  list.value = map.named || '';
  list.onchange = () => {
    map.named = list.value; map.said = true; map.unnamed = false; settle(map); score();
  };
  map.sums = make('table', '', part); map.sums.className = 'sums';
  map.look = make('p', '', part); map.look.className = 'look';
}
function pick(map, r, c) {
  const name = `r${r + 1}c${c + 1}`, dialog = by('pick');
  const say = (coat, crosses) => {
    map.rows[r][c] = coat === null ? '.' : LETTERS[coat] + crosses;
    map.looked.add(name); settle(map); draw(); score();
  };
  const draw = () => {
    const token = map.rows[r][c], coat = token === '.' ? null : LETTERS.indexOf(token[0]);
    const crosses = Number(token.slice(1) || 0);
    by('where').textContent = name; by('coats').replaceChildren(); by('crosses').replaceChildren();
    [null, 0, 1, 2, 3, 4, 5].forEach(one => {
      const b = make('button', one === null ? 'empty' : COATS[one].replace('-', ' '), by('coats'));
      b.type = 'button'; b.ariaPressed = String(one === coat); b.onclick = () => say(one, crosses);
    });
    [0, 1, 2, 3, 4].forEach(one => {
      const b = make('button', one, by('crosses'));
      b.type = 'button'; b.disabled = coat === null;
      b.ariaPressed = String(coat !== null && one === crosses); b.onclick = () => say(coat, one);
    });
  };
  // Whoever has looked at a square has settled it.
  dialog.onclose = () => { map.looked.add(name); settle(map); score(); };
  draw(); dialog.showModal();
}
async function score() {
  const mine = ++asked, told = await ask('score', asTold());
  if (mine !== asked) return;  // a later tap has asked again: this is the score of before
  if (!told.ok) { tell(told.error); return; }
  told.maps.forEach((one, number) => sums(maps[number], one));
  by('outcome').textContent = (told.outcome || '').replace(/Player ([12]) /, (_, n) => nameOf(n - 1) + ' ');
  if (by('enter')) by('enter').disabled = maps.some(map => map.doubts.length || map.unnamed);
}
function sums(map, one) {
  map.total.textContent = one.score + ' points'; map.sums.replaceChildren();
  for (const [name, button] of Object.entries(map.buttons)) {
    const token = map.rows[name[1] - 1][name[3] - 1], doubt = map.doubts.includes(name);
    button.style.background = ''; button.className = doubt ? 'doubt' : '';
    const short = token === '.' ? '' : token.replace(/0$/, '');
    button.firstChild.textContent = short + (doubt ? '?' : '');
    const coat = COATS[LETTERS.indexOf(token[0])], crosses = token.slice(1) || 0;
    const drawn = token === '.' ? 'empty' : `${coat}, crosses: ${crosses}`;
    button.setAttribute('aria-label', `${name}: ${drawn}${doubt ? ', doubtful' : ''}`);
  }
  one.domains.forEach((domain, k) => {
    const colour = `hsl(${(k * 222.5) % 360} 80% 50%`;
    domain.squares.forEach(name => { map.buttons[name].style.background = colour + ' / .33)'; });
    const row = make('tr', '', map.sums), what = make('td', '', row), patch = make('span', '', what);
    patch.className = 'patch'; patch.style.background = colour + ')';
    what.append(`${domain.coat.replace('-', ' ')} at ${domain.squares[0]}`);
    make('td', `${domain.squares.length} × ${domain.crosses} = ${domain.points}`, row);
  });
  if (map.named) { const row = make('tr', '', map.sums); make('td', 'coat named with P5', row);
    make('td', one.named_points, row); }
  const look = map.doubts.length ? ['Look at ' + map.doubts.join(', ') + '.', map.advice] : [];
  const unlike = map.unlogged.length ? ["Unlike the match's log: " + map.unlogged.join(', ') + '.'] : [];
  const open = map.unnamed ? ["P5 may be this player's, as the spellbook shows: say which coat was named."] : [];
  map.look.textContent = look.concat(open, unlike, one.faults).join(' ');
}
if (by('enter')) by('enter').onclick = async () => {
  const answer = await ask(photo + '/enter', asTold());
  tell(answer.ok ? answer.entered : answer.error);
};
by('print').onclick = async () => {
  const answer = await ask(photo + '/score.pdf', asTold());
  if (!answer.ok) { tell(answer.error); return; }
  const link = document.createElement('a'); link.href = URL.createObjectURL(answer.blob);
  link.download = 'score.pdf'; link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 9000);
};
by('keep').onclick = async () => {
  const answer = await ask(photo + '/keep', asTold());
  tell(answer.ok ? 'Kept on this machine, with the squares as they stand now.' : answer.error);
};
