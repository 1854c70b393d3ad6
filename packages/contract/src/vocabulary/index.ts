/** The words of protection, for who may know the contract but not the engine. */
export * from '@portcullis/engine/vocabulary';
export * from './category-names.ts';
