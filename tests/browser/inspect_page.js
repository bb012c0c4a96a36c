/* What is wrong with a table as it is drawn now: a list of sentences, empty where all is well. */
() => {
  const faults = [];
  const [wide, high] = [innerWidth, innerHeight];
  const touch = matchMedia("(pointer: coarse)").matches;
  const tell = (what, node) => faults.push(`${what}: ${node.dataset.testid ?? node.dataset.card ?? node.className} ${(node.textContent ?? "").trim().slice(0, 40)}`);
  const inside = (box) => box.left >= -1 && box.top >= -1 && box.right <= wide + 1 && box.bottom <= high + 1;
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".unseen, [inert], .ghost");
  /** The uppermost thing at a point; the frame around a pile that can be tapped as a whole covers nothing. */
  const at = (x, y) => {
    const first = document.elementFromPoint(x, y);
    return first?.matches(".whole") ? (document.elementsFromPoint(x, y).find((there) => !there.matches(".whole")) ?? null) : first;
  };
  const hits = (node, x, y) => {
    const there = at(x, y);
    return there !== null && (node.contains(there) || there.contains(node) && there.querySelectorAll(".card").length <= 1 && there !== document.body);
  };
  const alone = (node, x, y) => {
    const there = node.matches(".whole") ? document.elementFromPoint(x, y) : at(x, y);
    return there !== null && node.contains(there);
  };

  if (document.documentElement.scrollWidth > wide) faults.push("the page is wider than the window");
  if (document.documentElement.scrollHeight > high) faults.push("the page is higher than the window");

  const end = document.querySelector("section.end");
  const scope = end ?? document;
  for (const node of scope.querySelectorAll(end ? "button" : ".stage .card[data-card]")) {
    if (!shown(node)) continue;
    const box = node.getBoundingClientRect();
    if (end) {
      if (!inside(box)) tell("a button is out of sight", node);
      continue;
    }
    if (!inside(box)) tell("a card is cut", node);
    const index = [[3, 4], [18, 4], [3, 22], [18, 22], [10, 13]];
    if (!index.every(([x, y]) => hits(node, box.left + x, box.top + y))) tell("an index is covered", node);
    let seen = 0;
    for (let across = 0; across < 5; across += 1)
      for (let down = 0; down < 5; down += 1)
        if (hits(node, box.left + ((across + 0.5) * box.width) / 5, box.top + ((down + 0.5) * box.height) / 5)) seen += 1;
    if (seen < 4) tell(`a card is covered (${seen} of 25)`, node);
  }
  if (end) return faults;

  for (const node of document.querySelectorAll("button, a[href], .prompt > span, .headline, h1, .caption, .hint, .seat .name b")) {
    if (!shown(node) || (node.textContent === "" && !node.matches("button, a"))) continue;
    const box = node.getBoundingClientRect();
    if (!inside(box)) tell("out of sight", node);
    const isCard = node.querySelector(".card[data-card]") && !node.matches(".button");
    if (!isCard && !alone(node, box.left + box.width / 2, box.top + Math.min(box.height / 2, 20))) tell("covered", node);
    if (node.matches(".button, .prompt > span, .hint") && node.scrollWidth > node.clientWidth + 1 && node.clientWidth) tell("its text is cut", node);
    if (node.matches(".name b") && node.clientWidth < Math.min(node.scrollWidth, 26)) tell("a name is too short", node);
    if (touch && node.matches("button, a")) {
      const reach = (dx, dy, from) => {
        let length = 0;
        while (length < 44 && alone(node, from.x + dx * length, from.y + dy * length)) length += 2;
        return length;
      };
      const [x, y] = isCard ? [box.left + 1, box.top + 8] : [box.left + 1, box.top + box.height / 2];
      const [x2, y2] = isCard ? [box.left + 8, box.top + 1] : [box.left + box.width / 2, box.top + 1];
      const across = reach(1, 0, { x, y });
      const down = reach(0, 1, { x: x2, y: y2 });
      if (across < 42 || down < 42) tell(`a target of ${across} by ${down}`, node);
    }
  }
  for (const mark of document.querySelectorAll(".stage .marks")) {
    const first = mark.firstElementChild;
    if (first && shown(first) && first.getBoundingClientRect().right > mark.getBoundingClientRect().right + 1) tell("a mark is cut", mark);
  }
  const held = [...document.querySelectorAll(".hand .card")];
  const width = held[0]?.getBoundingClientRect().width ?? 100;
  if (width < (touch ? 71.5 : 63.5) || width > 161) faults.push(`cards of the hand are ${width} wide`);
  return faults;
}
