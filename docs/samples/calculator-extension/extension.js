// @ts-check
// A calculator for the agent: the server of docs/samples/calculator, offered by another extension.
const vscode = require('vscode');

/** @typedef {import('../../../src/host/patchbayApi').PatchbayApi} PatchbayApi */
/** @typedef {import('../../../src/host/patchbayApi').ApiTool<{ a: number, b: number }>} NumbersTool */

const input = {
  type: 'object',
  properties: {
    a: { type: 'number', description: 'First number' },
    b: { type: 'number', description: 'Second number' },
  },
  required: ['a', 'b'],
  additionalProperties: false,
};

/**
 * @param {string} name @param {string} description @param {NumbersTool['run']} run
 * @returns {NumbersTool}
 */
const operation = (name, description, run) => ({ name, description, input, alwaysLoad: true, run });

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  /** @type {vscode.Extension<PatchbayApi> | undefined} */
  const extension = vscode.extensions.getExtension('patchbay.patchbay');
  const patchbay = await extension?.activate();
  if (patchbay?.apiVersion !== 1) return;
  const calculator = patchbay.registerServer({
    name: 'calculator',
    tools: [
      operation('add', 'Adds two numbers.', ({ a, b }) => a + b),
      operation('subtract', 'Subtracts the second number from the first.', ({ a, b }) => a - b),
      operation('multiply', 'Multiplies two numbers.', ({ a, b }) => a * b),
      // A returned error is what the model gets as a failed call.
      operation('divide', 'Divides the first number by the second.', ({ a, b }) =>
        b === 0 ? new Error('Error: Division by zero') : a / b,
      ),
    ],
  });
  context.subscriptions.push(calculator);
  calculator.ready.catch((/** @type {unknown} */ reason) => console.warn(reason));
}

module.exports = { activate };
