// Photos on their way: sent with their progress, read with the seconds that it takes, and HEIC explained.

import { $, token } from "./page.js";
import { t } from "./words.js";

export const MOST_BYTES = 25e6;
let ticking = 0;

// How far it is: a share while a photo is sent, seconds while it is read; null ends it.
export function far(words, share = null) {
  clearInterval(ticking);
  $("progress").hidden = words === null;
  if (words === null) return;
  const bar = $("bar"), began = Date.now();
  if (share === null) bar.removeAttribute("value"); else bar.value = share;
  const shown = () => { $("how-far").textContent = share === null ? `${words} ${t("{n} s", { n: Math.round((Date.now() - began) / 1000) })}` : `${words} ${Math.round(100 * share)} %`; };
  shown();
  if (share === null) ticking = setInterval(shown, 1000);
}

// One photo to the box, with how much of it is there.
export function upload(path, blob, which) {
  return new Promise((settle) => {
    const line = new XMLHttpRequest();
    line.open("POST", path);
    line.setRequestHeader("Content-Type", "application/octet-stream");
    line.setRequestHeader("X-Pipwatch-Token", token);
    line.upload.onprogress = (event) => { if (event.lengthComputable && event.loaded < event.total) far(t("Sending {which} …", { which }), event.loaded / event.total); };
    line.upload.onload = () => far(t("Reading {which} …", { which }));
    line.onload = () => {
      let told = {};
      try { told = JSON.parse(line.responseText); } catch { /* an answer without a sentence */ }
      settle({ ok: line.status >= 200 && line.status < 300, status: line.status, ...told });
    };
    line.onerror = () => settle({ ok: false, error: t("The connection was lost: try again.") });
    line.send(blob);
  });
}

// A HEIC file says so in its first bytes, whatever it is called. Some browsers can unpack it, and then it is a JPEG.
const HEIC = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]);
export async function readable(file) {
  const head = new TextDecoder("latin1").decode(await file.slice(4, 12).arrayBuffer());
  if (!head.startsWith("ftyp") || !HEIC.has(head.slice(4))) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const canvas = document.createElement("canvas");
  canvas.width = picture.width; canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return new Promise((settle) => canvas.toBlob(settle, "image/jpeg", 0.92));
}
