"""The page for photographed sheets: what the browser is given, as three texts."""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Duel sheets</title>
<link rel="stylesheet" href="/sheets/page.css">
<main>
<h1>Kingdomino Duel: score a sheet</h1>
<label class="send">Photo of one map or two (JPEG or PNG)
<input id="file" type="file" accept="image/jpeg,image/png"></label>
<p id="told" role="status" aria-live="polite"></p>
<div id="corners" hidden><p>Tap the map's corners: upper left, upper right, lower right, lower left.</p>
<div class="photo"><img id="photo" alt="The photo as it was sent"></div></div>
<div id="maps"></div>
<p id="outcome" role="status"></p>
<div id="after" hidden><button id="print">Score sheet (PDF)</button>
<button id="keep">Keep as an example to learn from</button></div>
</main>
<dialog id="pick"><form method="dialog"><h2 id="where"></h2>
<div id="coats" class="row"></div><h3>Crosses</h3><div id="crosses" class="row"></div>
<button value="done">Done</button></form></dialog>
<script src="/sheets/page.js"></script>
</html>
"""

STYLE = """
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; }
.send { display: block; border: 2px dashed #888; border-radius: .6rem; padding: 1rem; }
.send input { display: block; margin-top: .5rem; font: inherit; }
#maps { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); }
.map h2 { display: flex; justify-content: space-between; font-size: 1.15rem; margin: .8rem 0 .4rem; }
.board { position: relative; }
.board img, .photo img { width: 100%; display: block; border-radius: .3rem; }
.photo { position: relative; touch-action: manipulation; cursor: crosshair; }
.dot { position: absolute; width: 1rem; height: 1rem; margin: -.5rem; border-radius: 50%; background: #d32; }
.squares { position: absolute; left: 1.754%; right: 1.754%; top: 2.422%; bottom: 2.422%; display: grid;
  grid-template: repeat(5, 1fr) / repeat(7, 1fr); }
.squares button { border: 1px solid #0003; background: none; padding: 0; min-width: 0; cursor: pointer;
  display: flex; align-items: flex-end; font: bold .8rem system-ui; color: #000; }
.squares button span { background: #fffc; border-radius: .2rem; padding: 0 .2rem; }
.squares button.doubt { outline: 3px dashed #c00; outline-offset: -4px; }
.squares button:focus-visible { outline: 3px solid #06c; outline-offset: -3px; }
.map label { display: flex; align-items: center; gap: .5rem; min-height: 2.6rem; }
dialog button[value] { margin-top: 1rem; }
.sums { width: 100%; border-collapse: collapse; margin: .5rem 0; }
.sums td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.sums .patch { display: inline-block; width: .9em; height: .9em; border-radius: .2em; margin-right: .4em; }
.look { color: #b00; } @media (prefers-color-scheme: dark) { .look { color: #f88; } }
.row { display: flex; flex-wrap: wrap; gap: .4rem; }
button, select { font: inherit; padding: .4rem .7rem; min-height: 2.6rem; }
.row button[aria-pressed=true] { outline: 3px solid #06c; }
#outcome { font-weight: bold; }
"""

SCRIPT = """'use strict';
const COATS = ['dot', 'two-dots', 'stripe', 'two-stripes', 'quarters', 'black'], LETTERS = 'dDsSqb';
const by = id => document.getElementById(id);
const make = (tag, text, parent) => { const e = document.createElement(tag); e.textContent = text ?? '';
  if (parent) parent.append(e); return e; };
const tell = text => { by('told').textContent = text; };
let photo = null, maps = [], tapped = [];

async function ask(path, options) {
  try {
    const answer = await fetch('/sheets/' + path, {method: 'POST', ...options});
    const told = answer.headers.get('Content-Type')?.startsWith('application/json') ? await answer.json()
      : {blob: await answer.blob()};
    return {ok: answer.ok, status: answer.status, ...told};
  } catch { return {ok: false, error: 'The connection was lost: try again.'}; }
}
const asJson = data => ({headers: {'Content-Type': 'application/json'}, body: JSON.stringify(data)});
const asTold = () => ({maps: maps.map(m => ({rows: m.rows, roof: m.roof, named: m.named || null}))});

by('file').onchange = async event => {
  const file = event.target.files[0];
  if (!file) return;
  tell('Reading…'); clear();
  show(await ask('read', {body: file}));
};
function clear() {
  maps = []; tapped = []; by('maps').replaceChildren(); by('outcome').textContent = '';
  by('after').hidden = true; by('corners').hidden = true;
}
function show(answer) {
  clear();
  if (answer.status === 422) {
    photo = answer.photo; by('photo').src = `/sheets/${photo}/photo.jpg`; by('corners').hidden = false;
    document.querySelectorAll('.dot').forEach(dot => dot.remove());
  }
  if (!answer.ok) { tell(answer.error || 'Something went wrong.'); return; }
  photo = answer.photo; maps = answer.maps;
  tell('Tap a square to correct it.');
  maps.forEach((map, number) => board(map, number));
  by('after').hidden = false; score();
}
by('photo').onclick = async event => {
  const img = event.target, box = img.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
  const dot = make('div', '', img.parentElement); dot.className = 'dot';
  dot.style.left = 100 * x + '%'; dot.style.top = 100 * y + '%';
  tapped.push([x * img.naturalWidth, y * img.naturalHeight]);
  if (tapped.length < 4) return;
  const corners = tapped; tell('Reading…');
  const answer = await ask(photo + '/corners', asJson({corners}));
  if (answer.ok) show(answer);
  else { tell(answer.error); tapped = []; document.querySelectorAll('.dot').forEach(dot => dot.remove()); }
};

function board(map, number) {
  const part = make('section', '', by('maps')); part.className = 'map';
  const head = make('h2', '', part); make('span', 'Map ' + (number + 1), head);
  map.total = make('span', '', head);
  const frame = make('div', '', part); frame.className = 'board';
  const img = make('img', '', frame); img.src = `/sheets/${photo}/${number}.jpg`;
  img.alt = 'Map ' + (number + 1) + ' from straight above';
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
  list.onchange = () => { map.named = list.value; score(); };
  map.sums = make('table', '', part); map.sums.className = 'sums';
  map.look = make('p', '', part); map.look.className = 'look';
}
function pick(map, r, c) {
  const name = `r${r + 1}c${c + 1}`, dialog = by('pick');
  const say = (coat, crosses) => {
    map.rows[r][c] = coat === null ? '.' : LETTERS[coat] + crosses;
    map.doubts = map.doubts.filter(one => one !== name); draw(); score();
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
  dialog.onclose = () => { map.doubts = map.doubts.filter(one => one !== name); score(); };
  draw(); dialog.showModal();
}
async function score() {
  const told = await ask('score', asJson(asTold()));
  if (!told.ok) { tell(told.error); return; }
  told.maps.forEach((one, number) => sums(maps[number], one));
  by('outcome').textContent = told.outcome ? told.outcome.replaceAll('Player ', 'Map ') : '';
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
  const look = map.doubts.length ? ['Look at ' + map.doubts.join(', ') + '.'] : [];
  map.look.textContent = look.concat(one.faults).join(' ');
}
by('print').onclick = async () => {
  const answer = await ask(photo + '/score.pdf', asJson(asTold()));
  if (!answer.ok) { tell(answer.error); return; }
  const link = document.createElement('a'); link.href = URL.createObjectURL(answer.blob);
  link.download = 'score.pdf'; link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 9000);
};
by('keep').onclick = async () => {
  const answer = await ask(photo + '/keep', asJson(asTold()));
  tell(answer.ok ? 'Kept on this machine, with the squares as they stand now.' : answer.error);
};
"""
