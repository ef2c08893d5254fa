// How a worker of a browser hears and speaks.
export const listen = (handle) => self.addEventListener('message', (event) => handle(event.data));
export const post = (message) => self.postMessage(message);
