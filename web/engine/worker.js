// The engine in a worker. Messages in: {start: module, rest}, {model: name, bytes}, {call: operation, request, progress}. Messages
// out: {started}, {progress}, {answer: {status, body}}, {failure: text}. The other side sends one at a time and waits.
import { Instance } from './instance.js';
import { listen, post } from '#port';

let instance = null;

listen(async (message) => {
  try {
    if (message.start) {
      instance = await Instance.start(message.start, message.rest);
      post({ started: true });
    } else if (message.model) {
      post({ answer: instance.loadModel(message.model, message.bytes) });
    } else {
      const onProgress = message.progress ? (progress) => post({ progress }) : undefined;
      post({ answer: instance.call(message.call, message.request, onProgress) });
    }
  } catch (error) {
    post({ failure: String(error?.message ?? error) });
  }
});
