/* What is wrong with a table as it is drawn now: a list of sentences, empty where all is well. */
() => {
  const faults = [];
  const [wide, high] = [innerWidth, innerHeight];
  const touch = matchMedia("(pointer: coarse)").matches;
  const tell = (what, node) => faults.push(`${what}: ${node.dataset.testid ?? node.dataset.card ?? node.className} ${(node.textContent ?? "").trim().slice(0, 40)}`);
  const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= wide + 1 && box.bottom <= high + 1;
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".unseen, [inert], .ghost");
  /** The uppermost thing at a point; what makes a pile or a seat one large button covers nothing. */
  const glass = ".whole, .cover";
  const at = (x, y) => {
    const first = document.elementFromPoint(x, y);
    return first?.matches(glass) ? (document.elementsFromPoint(x, y).find((there) => !there.matches(glass)) ?? null) : first;
  };
  const hits = (node, x, y) => {
    const there = at(x, y);
    return there !== null && (node.contains(there) || there.contains(node) && there.querySelectorAll(".card").length <= 1 && there !== document.body);
  };
  const alone = (node, x, y) => {
    const there = node.matches(glass) ? document.elementFromPoint(x, y) : at(x, y);
    return there !== null && node.contains(there);
  };

  /** From a corner: how far a node reaches until something covers it, to a pixel or a 64th. */
  const reach = (node, from, across, down, most) => {
    const free = (length) => hits(node, from.x + across * length, from.y + down * length);
    if (free(most)) return most;
    const over = at(from.x + across * most, from.y + down * most)?.closest(".card")?.getBoundingClientRect();
    const edge = over ? (across ? over.left - from.x : over.top - from.y) : 0;
    if (edge > 1 && edge < most && free(edge - 1) && !free(edge + 1)) return edge;
    let [low, high] = [0, most];
    for (let turn = 0; turn < 6; turn += 1) {
      const middle = (low + high) / 2;
      if (free(middle)) low = middle;
      else high = middle;
    }
    return high;
  };
  /** Whether a finger finds a node at every third of what it needs. */
  const wideEnough = (node, from, across, down) => [0, 14, 28, 42].every((length) => alone(node, from.x + across * length, from.y + down * length));
  /** Which part of a card is seen: what is free at its index, or any points of it. */
  const seen = (node, box) => {
    const corner = { x: box.left + 3, y: box.top + 3 };
    const wide = reach(node, corner, 1, 0, box.width - 6) + 3;
    const high = reach(node, corner, 0, 1, box.height - 6) + 3;
    if (wide * high >= 0.25 * box.width * box.height) return 1;
    let count = 0;
    for (let across = 0.05; across < 1; across += 0.1)
      for (let down = 0.05; down < 1; down += 0.1) if (hits(node, box.left + across * box.width, box.top + down * box.height)) count += 1;
    return count / 100;
  };

  if (document.documentElement.scrollWidth > wide) faults.push("the page is wider than the window");
  if (document.documentElement.scrollHeight > high) faults.push("the page is higher than the window");

  const end = document.querySelector("section.end");
  const scope = end ?? document;
  for (const node of scope.querySelectorAll(end ? ".buttons button" : ".stage .card[data-card]")) {
    if (!shown(node)) continue;
    const box = node.getBoundingClientRect();
    if (end) {
      if (!inside(box)) tell("a button is out of sight", node);
      continue;
    }
    if (!inside(box)) tell("a card is cut", node);
    const index = [[3, 4], [18, 4], [3, 22], [18, 22], [10, 13]];
    if (!index.every(([x, y]) => hits(node, box.left + x, box.top + y))) tell("an index is covered", node);
    const part = seen(node, box);
    if (part < 0.25) tell(`a card is covered (${Math.round(part * 100)} % of it is seen)`, node);
  }
  if (end) return faults;

  for (const node of document.querySelectorAll("button, a[href], .prompt > span, .headline, h1, .caption, .owner, .hint, .seat .name b")) {
    if (!shown(node) || (node.textContent === "" && !node.matches("button, a"))) continue;
    const box = node.getBoundingClientRect();
    if (!inside(box)) tell("out of sight", node);
    const isCard = node.querySelector(".card[data-card]") && !node.matches(".button");
    if (!isCard && !alone(node, box.left + box.width / 2, box.top + Math.min(box.height / 2, 20))) tell("covered", node);
    if (node.matches(".button, .prompt > span, .hint, .headline, .caption") && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2) && node.clientWidth) tell("its text is cut", node);
    if (node.matches(".name b") && node.scrollWidth > node.clientWidth + 1) tell("a name is cut", node);
    if (node.matches(".headline") && high > wide && box.height > 2.5 * Number.parseFloat(getComputedStyle(node).lineHeight)) tell("more than two lines", node);
    if (touch && node.matches("button, a")) {
      const beside = isCard ? { x: box.left + 1, y: box.top + 8 } : { x: box.left + 1, y: box.top + box.height / 2 };
      const below = isCard ? { x: box.left + 8, y: box.top + 1 } : { x: box.left + box.width / 2, y: box.top + 1 };
      if (!wideEnough(node, beside, 1, 0) || !wideEnough(node, below, 0, 1)) tell("a small target", node);
    }
  }
  for (const mark of document.querySelectorAll(".stage .marks")) {
    const right = mark.getBoundingClientRect().right + 1;
    if ([...mark.querySelectorAll("b")].some((one) => shown(one) && one.getBoundingClientRect().right > right)) tell("a mark is cut", mark);
    const last = mark.lastElementChild;
    const low = Math.min(mark.getBoundingClientRect().bottom, mark.closest(".body").getBoundingClientRect().bottom) + 1;
    if (last && shown(last) && last.getBoundingClientRect().bottom > low) tell("the second mark is cut", mark);
  }
  const held = [...document.querySelectorAll(".hand .card")];
  const width = held[0]?.getBoundingClientRect().width ?? 100;
  if (width < (touch ? 71.5 : 63.5) || width > 191) faults.push(`cards of the hand are ${width} wide`);
  return faults;
}
