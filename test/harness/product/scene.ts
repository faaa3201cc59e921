import { after, before, test } from 'node:test';
import { artifact, startProduct, type Product, type ProductOptions } from './product';

export type Scene = (title: string, play: (product: Product) => Promise<void>) => void;

/** Declares tests on one running product; one that fails leaves a picture and the panel's words. */
export function scenesOn(product: () => Product, name: string): Scene {
  let number = 0;
  return (title, play) => {
    number += 1;
    const picture = artifact(`${name}-${number}.png`);
    test(title, async () => {
      try {
        // The scene before may have failed while another view was in front.
        await product().open();
        await play(product());
      } catch (cause) {
        await product()
          .page.screenshot({ path: picture })
          .catch(() => undefined);
        const shown = await product().panel.allText();
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`${words}\nThe panel showed:\n${(shown ?? '').slice(-2000)}\n${picture}`, {
          cause,
        });
      }
    });
  };
}

/** The same on a product of its own, which is started before them and closed after them. */
export function scenesOfProduct(options: ProductOptions, name: string): Scene {
  let product: Product | undefined;
  before(async () => {
    product = await startProduct(options);
  });
  after(() => product?.close());
  return scenesOn(() => {
    if (product === undefined) throw new Error('The product was not started');
    return product;
  }, name);
}
