/* Asks again by itself, whatever answered: after a second, then ever later, half a minute at most. */
const MAX_WAIT_S = 30, LATE_S = 10, QUIET_S = 40, BLINK_S = 3; // the table says something every 15 s
const pause = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
async function json(address, options) {
  const late = pause(LATE_S).then(() => { throw new Error(`${address}: no answer`); });
  const answer = await Promise.race([fetch(address, options), late]);
  if (!answer.ok) throw Object.assign(new Error(`${address}: ${answer.status}`), { status: answer.status });
  return answer.json();
}
/* What `deed` gives, tried until it does not throw; `failed` hears of each that did, and ends it by throwing. */
async function persist(deed, failed) {
  for (let wait_s = 1; ; wait_s = Math.min(2 * wait_s, MAX_WAIT_S)) {
    try { return await deed(); } catch (error) { if (failed) failed(error); }
    await pause(wait_s);
  }
}
/* `told` hears each value of a stream, for ever; `lost` that none comes any more. An EventSource gives up for good at
   an answer that is no stream, such as a proxy's 502, and notices no network that went away without a word. */
function follow(address, told, lost) {
  let wait_s = 1, gone = 0;
  const missed = () => { gone = gone || setTimeout(lost, 1000 * BLINK_S); };
  function open() {
    const source = new EventSource(address);
    let quiet = 0;
    const end = () => {
      clearTimeout(quiet); source.close(); missed();
      setTimeout(open, 1000 * wait_s);
      wait_s = Math.min(2 * wait_s, MAX_WAIT_S);
    };
    const heard = () => { clearTimeout(quiet); quiet = setTimeout(end, 1000 * QUIET_S); };
    const alive = () => { heard(); wait_s = 1; clearTimeout(gone); gone = 0; };
    heard();
    source.onerror = end;
    source.addEventListener("still", alive);
    source.onmessage = event => { alive(); told(JSON.parse(event.data)); };
  }
  open();
}
