// Matches that lie further back than those the box tells at once: a page more each time somebody asks for it.

export class Older {
  #rows = []; // what was fetched, the newest first
  #first = ""; #next = ""; #pages = 0; #turn = 0;
  #changed;

  // changed() is called once there are others.
  constructor(changed) { this.#changed = changed; }

  get more() { return Boolean(this.#pages ? this.#next : this.#first); }

  // What was fetched and is not among these: until it is fetched anew one may be in both.
  beyond(shown) {
    const names = new Set(shown.map(({ name }) => name));
    return this.#rows.filter(({ name }) => !names.has(name));
  }

  // The box's own list ends at a match of this name now: what was fetched after another one is fetched anew.
  follow(name) {
    if (name === this.#first) return;
    this.#first = name;
    this.again();
  }

  // Fetch a page more.
  async ask() {
    this.#pages += 1;
    await this.#fetch(this.#rows, this.#pages > 1 ? this.#next : this.#first, 1);
  }

  // Fetch all of it once more: one of them may be gone.
  async again() {
    if (this.#pages) await this.#fetch([], this.#first, this.#pages);
  }

  async #fetch(before, name, pages) {
    const mine = ++this.#turn, found = [...before];
    let at = name;
    for (let k = 0; k < pages && at; k += 1) {
      const answer = await fetch(`/api/matches?after=${encodeURIComponent(at)}`, { cache: "no-store" }).catch(() => null);
      if (!answer?.ok) break; // the button is there for another try
      const told = await answer.json();
      found.push(...told.matches);
      at = told.older;
    }
    if (mine !== this.#turn) return;
    this.#rows = found;
    this.#next = at;
    this.#changed();
  }
}
