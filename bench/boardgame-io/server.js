// The server of `game.js`, with its matches in memory. Prints its port.

const { Origins, Server } = require('boardgame.io/server');
const game = require('./game');

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });

console.info = () => {}; // it says where it serves before anybody can ask
server.run({ port: 0 }, () => {}).then(({ appServer }) => {
  process.stdout.write(`port ${appServer.address().port}\n`);
});
