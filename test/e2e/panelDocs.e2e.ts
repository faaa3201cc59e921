import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { GALLERY } from '../harness/panelSandbox/galleryStates';
import { inRoot } from '../harness/paths';

const DOC = inRoot('docs/panel.md');
const BETWEEN = /(?<=<!-- states -->\n)[^]*(?=<!-- \/states -->)/u;

const sections = GALLERY.map(({ name, about }) => {
  const pictures = [300, 1400].map((px) => `![${about}](images/states/${name}-${px}.png)`);
  return `\n## ${name}\n\n${about}\n\n${pictures.join('\n\n')}\n`;
});

test('docs/panel.md shows each state of the panel, narrow and wide (PATCHBAY_WRITE_DOCS=1 writes it)', () => {
  const text = readFileSync(DOC, 'utf8');
  const wanted = text.replace(BETWEEN, () => `${sections.join('')}\n`);
  if (process.env.PATCHBAY_WRITE_DOCS === '1') writeFileSync(DOC, wanted);
  else assert.equal(text, wanted);
  for (const { name } of GALLERY)
    for (const px of [300, 1400])
      assert.ok(existsSync(inRoot(`docs/images/states/${name}-${px}.png`)), `${name} at ${px} px`);
});

test('no picture of a state that is no more is left', () => {
  const names = GALLERY.flatMap(({ name }) => [`${name}-300.png`, `${name}-1400.png`]);
  assert.deepEqual(readdirSync(inRoot('docs/images/states')).sort(), names.sort());
});
