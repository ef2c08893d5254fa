// A learning record store for tests, as xAPI 1.0.3 has it: POST /xapi/statements with version, authorisation and JSON; ids are kept once,
// a batch as a whole or not at all. Pages of other origins may send. `fails` are statuses that the next requests get instead; while it
// is away, all get 503.

import {createServer} from 'node:http';

export async function startRecordStore(auth) {
  const store = {statements: new Map(), batches: [], fails: [], refused: [], isAway: false, turnedAway: 0};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const allowed = {
      'Access-Control-Allow-Origin': request.headers.origin ?? '*',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Experience-API-Version',
      'Access-Control-Allow-Methods': 'POST',
    };
    const answer = (status, text = '') => (response.writeHead(status, {...allowed, 'X-Experience-API-Version': '1.0.3'}), response.end(text));
    if (request.method === 'OPTIONS') return answer(204);
    if (store.isAway) return (++store.turnedAway, answer(503));
    const fail = store.fails.shift();
    if (fail !== undefined) return answer(fail);
    if (request.method !== 'POST' || request.url !== '/xapi/statements') return answer(404);
    if (request.headers.authorization !== auth) return (store.refused.push(request.headers.authorization), answer(401));
    if (request.headers['x-experience-api-version'] !== '1.0.3') return answer(400, 'version');
    if (!request.headers['content-type']?.startsWith('application/json')) return answer(400, 'type');
    const batch = JSON.parse(body);
    const isOther = (one) => store.statements.has(one.id) && JSON.stringify(store.statements.get(one.id)) !== JSON.stringify(one);
    if (!Array.isArray(batch) || batch.some(isOther)) return answer(409);
    store.batches.push(batch.length);
    for (const statement of batch) store.statements.set(statement.id, statement);
    return answer(200, JSON.stringify(batch.map(({id}) => id)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  store.url = `http://127.0.0.1:${server.address().port}/xapi`;
  store.close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)));
  /** Waits until so many statements are there. */
  store.has = async (count) => {
    for (let turn = 0; store.statements.size < count; ++turn) {
      if (turn > 600) throw new Error(`only ${store.statements.size} statements came`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return [...store.statements.values()];
  };
  return store;
}
