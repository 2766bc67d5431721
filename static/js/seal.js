// Seals a record in the browser: adds a salt, saves the file, and enters its hash. Nothing is sent.

const MOST = 256 * 1024;
const seal = document.querySelector("#seal");
const status = document.querySelector("#seal-status");

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function sealed(file) {
  const salt = `# salt: ${hexOf(crypto.getRandomValues(new Uint8Array(16)))}\n`;
  const content = new Uint8Array(await file.arrayBuffer());
  const end = content.at(-1) === 10 ? "" : "\n";
  return new Uint8Array(await new Blob([content, end, salt]).arrayBuffer());
}

function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function sealFile({ target }) {
  const [file] = target.files;
  if (!file) return;
  const content = await sealed(file);
  if (content.length > MOST) {
    status.textContent = `${file.name} ${seal.dataset.unsealed}`;
    return;
  }
  const name = `${file.name.replace(/\.txt$/, "")}.sealed.txt`;
  save(content, name);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  document.querySelector("#field-sha256").value = hexOf(hash);
  status.textContent = `${name} ${seal.dataset.sealed}`;
}

if (crypto.subtle) document.querySelector("#seal-file").addEventListener("change", sealFile);
else seal.hidden = true; // without HTTPS
