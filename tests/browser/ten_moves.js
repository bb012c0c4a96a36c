// Opens a table and makes ten moves over the channel of a page without a server, each the first that is offered.
// Names no language, as windows of older editions do.
// Returns how many were made, what was refused, and the milliseconds from each to the next turn.
async ([game, players, level]) => {
  const channel = new BroadcastChannel("upcard " + new URL(".", location.href).pathname);
  const from = "test" + Math.random().toString(36).slice(2);
  const answers = new Map();
  const refused = [];
  let scene, seq = -1, you, turn = () => {};
  /** The entry that the last move became: before it is shown, it is nobody's turn. */
  let acted = -1;
  channel.onmessage = ({ data }) => {
    if (data.to !== from) return;
    if (data.say === "answer") return answers.get(data.id)?.(JSON.parse(data.text));
    if (data.say !== "message") return;
    const said = JSON.parse(data.json);
    if (said.type === "welcome") [scene, seq, you] = [said.scene, said.seq, said.table.you];
    else if (said.type === "event" || said.type === "table") [scene, seq] = [{ ...scene, ...said.changes }, said.seq];
    else if (said.type === "accepted") acted = said.seq;
    else if (said.type === "refused") return refused.push(said.text), turn();
    if (seq < acted) return;
    if (scene.done || scene.to_act.includes(you)) turn();
  };
  /** Playwright does not end an `evaluate` that lasts for ever. */
  const within = (promise) =>
    Promise.race([promise, new Promise((_, fail) => setTimeout(fail, 300000, new Error("no answer from the house")))]);
  const post = (message) => channel.postMessage({ to: "house", from, ...message });
  const seats = [{ who: "me" }, ...Array(players - 1).fill({ who: "computer", level })];
  const table = await within(new Promise((done) => {
    answers.set(1, done);
    const wish = { game, players, options: {}, name: "Ann", seats };
    post({ say: "ask", id: 1, method: "POST", path: "tables", body: JSON.stringify(wish) });
  }));
  const next = () => new Promise((done) => (turn = done));
  const first = next();
  post({ say: "open", line: 1, table: table.body.id });
  await within(first);
  const times = [];
  for (let made = 0; made < 10 && !scene.done; made += 1) {
    const { moves, picks } = scene.offers;
    const cards = picks.length ? picks[0].cards.slice(0, picks[0].sizes[0]) : [];
    const text = moves[0]?.text ?? [picks[0].verb, ...cards].filter(Boolean).join(" ");
    const began = performance.now(), moved = next();
    acted = Infinity;
    post({ say: "hear", line: 1, text: JSON.stringify({ type: "move", id: `${from}${made}`, seq, text }) });
    await within(moved);
    times.push(performance.now() - began);
    if (refused.length) break;
  }
  post({ say: "bye" });
  return { made: times.length, done: scene.done, refused, times };
}
