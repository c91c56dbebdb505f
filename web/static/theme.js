// Before anything is drawn: the look that this browser has chosen.
(() => {
  const kept = (name) => { try { return localStorage.getItem(name) ?? ""; } catch { return ""; } };
  const theme = kept("theme");
  if (["light", "dark", "contrast"].includes(theme)) document.documentElement.dataset.theme = theme;
  const view = new URLSearchParams(location.search).get("view");
  if (["table", "watch", "overlay"].includes(view)) document.documentElement.dataset.view = view;
})();
