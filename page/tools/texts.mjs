/** The texts of the page, read from its sources: `node tools/texts.mjs` prints those to be translated, as JSON, and
 * `node tools/texts.mjs --bare` those that are shown without being translated. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "svelte/compiler";

const HOME = dirname(import.meta.dirname);
/** Where the arguments of a call have a text's context, its English and its second form. */
const CALLS = { t: { id: 0 }, tn: { id: 0, plural: 1 }, tc: { context: 0, id: 1 }, tagged: { id: 0 }, taggedn: { id: 0, plural: 1 } };
/** Attributes of elements, and properties of components, that people read or hear. */
const READ = new Set(["alt", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext", "content", "label", "placeholder", "summary", "text", "title"]);
const LETTERS = /\p{L}{2}/u;
/** What in a program looks like words for people: a capital, three words, or the end of a sentence. */
const SENTENCE = /^\p{Lu}\p{Ll}+( |$)|^[\p{L}’']{2,}[:,]? [\p{L}’' ]+ \p{L}{2}|\p{L}{2,}[.?!…]$/u;
/** Methods whose arguments are compared or looked for. */
const SEARCHES = new Set(["closest", "find", "includes", "may", "querySelector", "querySelectorAll"]);

/** All nodes with their ancestors, nearest first. */
function* nodes(node, ancestors = []) {
  if (Array.isArray(node)) {
    for (const one of node) yield* nodes(one, ancestors);
  } else if (node && typeof node === "object") {
    if (typeof node.type === "string") yield [node, ancestors];
    const inside = typeof node.type === "string" ? [node, ...ancestors] : ancestors;
    for (const [key, value] of Object.entries(node)) if (key !== "css" && key !== "loc" && typeof value === "object") yield* nodes(value, inside);
  }
}

export function sources(folder = join(HOME, "src")) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte)$/.test(name) && name !== "protocol.ts");
  return names.sort().map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]);
}

/** The syntax of a component, or of a module as if it were the script of one. */
const syntax = (path, source) => parse(path.endsWith(".svelte") ? source : `<script lang="ts">${source}\n</script>`, { modern: true });
const offset = (path) => (path.endsWith(".svelte") ? 0 : '<script lang="ts">'.length);

function placeIn(path, source) {
  const name = relative(join(HOME, ".."), path);
  return (node) => `${name}:${source.slice(0, node.start - offset(path)).split("\n").length}`;
}

/** The text of a literal; null if it has others within. */
function literal(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && !node.expressions.length) return node.quasis[0].value.cooked;
  return null;
}

const callOf = (node) => (node.type === "CallExpression" && node.callee.type === "Identifier" && Object.hasOwn(CALLS, node.callee.name) ? CALLS[node.callee.name] : null);

/** The texts to be translated: English, second form, context and places of each. Throws for a text that is not written out. */
export function texts(files = sources()) {
  const all = new Map();
  for (const [path, source] of files) {
    const place = placeIn(path, source);
    for (const [node] of nodes(syntax(path, source))) {
      const call = callOf(node);
      if (!call) continue;
      const [id, plural, context] = [call.id, call.plural, call.context].map((at) => (at === undefined ? null : literal(node.arguments[at])));
      if (id === null || (call.plural !== undefined && plural === null) || (call.context !== undefined && context === null)) throw new Error(`${place(node)}: a text to be translated must be written out`);
      const key = `${context ?? ""}\u0004${id}`;
      const known = all.get(key) ?? { msgid: id, plural, context, comment: null, places: [] };
      if (known.plural !== plural) throw new Error(`${place(node)}: ${known.places[0]} has this text with another second form`);
      all.set(key, { ...known, places: [...known.places, place(node)] });
    }
  }
  return [...all.values()];
}

/** Whether a literal is data: compared, a key, a type, an address, an argument of something that reads no sentences. */
function isData(node, ancestors) {
  const [parent] = ancestors;
  if (ancestors.some((one) => callOf(one) || /^TS/.test(one.type) || /^(Import|Export)(Declaration|Expression|AllDeclaration|NamedDeclaration)$/.test(one.type) && one.source === node)) return true;
  if (parent.type === "BinaryExpression" && parent.operator !== "+") return true;
  if (parent.type === "MemberExpression" && parent.property === node) return true;
  if (parent.type === "Property" && (parent.key === node || parent.key.name === "do")) return true;
  if (parent.type === "CallExpression" && SEARCHES.has(parent.callee.property?.name ?? parent.callee.name)) return true;
  return parent.type === "SwitchCase";
}

/** What people would read in English whatever their language, and where. */
export function bare(files = sources()) {
  const lines = [];
  for (const [path, source] of files) {
    const place = placeIn(path, source);
    for (const [node, ancestors] of nodes(syntax(path, source))) {
      if (ancestors.some(({ type }) => type === "StyleDirective")) continue;
      const attribute = ancestors.find(({ type }) => type === "Attribute");
      const text = node.type === "Text" ? node.data : node.type === "TemplateElement" ? node.value.cooked : node.type === "Literal" && typeof node.value === "string" ? node.value : "";
      if (!LETTERS.test(text)) continue;
      if (node.type === "Text" ? attribute && !READ.has(attribute.name) : isData(node, node.type === "TemplateElement" ? ancestors.slice(1) : ancestors)) continue;
      if (node.type !== "Text" && attribute && !READ.has(attribute.name) && !SENTENCE.test(text)) continue;
      const inMarkup = ancestors.find(({ type }) => ["ExpressionTag", "Program"].includes(type))?.type === "ExpressionTag" && (!attribute || READ.has(attribute.name));
      if (node.type !== "Text" && !inMarkup && !SENTENCE.test(text)) continue;
      lines.push(`${place(node)} ${text.trim().replace(/\s+/g, " ")}`);
    }
  }
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(process.argv.includes("--bare") ? bare().join("\n") : JSON.stringify(texts(), null, 1));
}
