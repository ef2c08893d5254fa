// What of a text that claims to be MathML reaches the page.

import assert from 'node:assert/strict';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {openBrowser} from './harness.mjs';

const source = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src', 'parts');
let session;
let page;
before(async () => {
  session = await openBrowser();
  ({page} = await session.newPage());
  await page.goto(session.url);
  const entry = "export {readMathml} from './mathml'; export {render} from 'preact';";
  const bundle = await build({stdin: {contents: entry, resolveDir: source}, bundle: true, write: false, format: 'iife', globalName: 'tested'});
  await page.evaluate(`${bundle.outputFiles[0].text}; globalThis.tested = tested;`);
});
after(() => session.close());

/** The markup that the page would have, or null. */
const shown = (text) =>
  page.evaluate((mathml) => {
    const node = tested.readMathml(mathml);
    if (node === null) return null;
    const host = document.createElement('div');
    tested.render(node, host);
    const isMath = [...host.querySelectorAll('*')].every((element) => element.namespaceURI === 'http://www.w3.org/1998/Math/MathML');
    return isMath ? host.innerHTML : 'not MathML';
  }, text);

test('formulas come through', async () => {
  const inside = '<mrow class="changed"><mfrac><mn>1</mn><mi>x</mi></mfrac></mrow><mo stretchy="false">(</mo>';
  assert.equal(await shown(`<math display="block">${inside}</math>`), `<math display="block" aria-hidden="true">${inside}</math>`);
  assert.equal(
    await shown('<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext>a &lt; b &amp; c</mtext></math>'),
    '<math aria-hidden="true"><mtext>a &lt; b &amp; c</mtext></math>',
  );
});

const refused = [
  '',
  'x = 2',
  '<p>x</p>',
  '<math></math><math></math>',
  '<math></math>text',
  '<math><mi>x</mi><script>alert(1)</script></math>',
  '<math><mtext><img src="x" onerror="alert(1)"></mtext></math>',
  '<math><mi onclick="alert(1)">x</mi></math>',
  '<math href="javascript:alert(1)"><mi>x</mi></math>',
  '<math><mi style="color: red">x</mi></math>',
  '<math><mi id="main">x</mi></math>',
  '<math><maction actiontype="statusline"><mi>x</mi></maction></math>',
  '<math><semantics><mi>x</mi><annotation-xml encoding="text/html"><p>x</p></annotation-xml></semantics></math>',
  '<math><mglyph src="x"></mglyph></math>',
  '<math><mtext><svg onload="alert(1)"></svg></mtext></math>',
  '<math><!-- x --><mi>x</mi></math>',
  `<math>${'<mrow>'.repeat(450)}${'</mrow>'.repeat(450)}</math>`,
];

for (const text of refused) {
  test(`refused: ${text.slice(0, 60) || 'nothing'}`, async () => assert.equal(await shown(text), null));
}
