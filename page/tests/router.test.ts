import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openBrowser } from "./browser.ts";

async function opened(address: string, mode = "test") {
  vi.resetModules();
  vi.stubEnv("MODE", mode);
  vi.stubEnv("BASE_URL", mode === "static" ? "./" : "/");
  openBrowser(address);
  return import("../src/router.svelte.ts");
}
beforeEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllEnvs());

const FOLDER = "https://files.example/t/cards/index.html";

describe("addresses at a server", () => {
  it("are paths", async () => {
    const page = await opened("http://house/t/abc?deal=2#invite=secret");
    expect(page.route.place).toEqual({ page: "table", id: "abc" });
    expect([page.numberAt("deal"), page.secretAt("invite"), page.secretAt("seat")]).toEqual([2, "secret", null]);
    expect(page.fullAddress(page.invitePath("abc", "x"))).toBe("http://house/t/abc#invite=x");
    expect([page.lobbyPath(), page.filePath("icon.svg")]).toEqual(["/", "/icon.svg"]);
    page.go(page.gamePath("cinch", "rulebook"));
    expect(page.route.place).toEqual({ page: "game", slug: "cinch", part: "rulebook" });
    page.stayAtClause("CI-9");
    expect([page.fragmentAt(), location.href]).toEqual(["CI-9", "http://house/g/cinch/rulebook#CI-9"]);
  });
});

describe("links for others", () => {
  it("begin with where others reach the house, if this page's own address works here alone", async () => {
    const page = await opened("http://127.0.0.1:8018/t/abc");
    expect(page.sharedBase()).toBe(null);
    expect(page.fullAddress(page.invitePath("abc", "x"))).toBe("http://127.0.0.1:8018/t/abc#invite=x");
    page.reachable("https://cards.example");
    expect(page.fullAddress(page.invitePath("abc", "x"))).toBe("https://cards.example/t/abc#invite=x");
  });

  it("keep the address under which somebody came from elsewhere", async () => {
    const page = await opened("https://cards.example/t/abc");
    page.reachable("http://192.0.2.2:8018");
    expect(page.fullAddress(page.tablePath("abc"))).toBe("https://cards.example/t/abc");
  });

  it("may bring the passphrase, which leaves the address and nothing else does", async () => {
    const page = await opened("https://cards.example/t/abc#invite=x&enter=k7pm-3xq9");
    expect([page.takePassphrase(), location.href]).toEqual(["k7pm-3xq9", "https://cards.example/t/abc#invite=x"]);
    expect([page.takePassphrase(), page.secretAt("invite")]).toEqual([null, "x"]);
  });
});

describe("a number in an address", () => {
  it.each([["17", 17], ["1e9", 1e9], ["-3", -3], ["", null], ["1.5", null], ["e9", null], ["1e99", null]])("%j is %j", async (word, number) => {
    const page = await opened(`http://house/t/abc/replay?at=${word}`);
    expect(page.numberAt("at")).toBe(number);
  });
});

describe("addresses of a folder of files", () => {
  it("are fragments, whatever the folder is called", async () => {
    const page = await opened(FOLDER, "static");
    expect(page.route.place).toEqual({ page: "lobby" });
    page.go(page.replayPath("abc", 3, "all", 17));
    expect(page.route.place).toEqual({ page: "replay", id: "abc" });
    expect([page.numberAt("deal"), page.wordAt("seat"), page.numberAt("at")]).toEqual([3, "all", 17]);
    expect(location.href).toBe(`${FOLDER}#/t/abc/replay?deal=3&seat=all&at=17`);
    expect(page.fullAddress(page.tablePath("abc"))).toBe(`${FOLDER}#/t/abc`);
    expect(page.filePath("icon.svg")).toBe("./icon.svg");
    page.go(page.lobbyPath());
    expect(page.route.place).toEqual({ page: "lobby" });
  });

  it("name clauses and secrets too", async () => {
    const page = await opened(`${FOLDER}#/g/cinch/rules#CI-9`, "static");
    expect([page.route.place, page.fragmentAt()]).toEqual([{ page: "game", slug: "cinch", part: "rules" }, "CI-9"]);
    page.stayAtClause("CI-10");
    expect([page.route.place, page.fragmentAt()]).toEqual([{ page: "game", slug: "cinch", part: "rules" }, "CI-10"]);
    page.go(page.seatPath("abc", "secret"));
    expect([page.route.place, page.secretAt("seat")]).toEqual([{ page: "table", id: "abc" }, "secret"]);
  });
});
