export * from './patchbayModule';
