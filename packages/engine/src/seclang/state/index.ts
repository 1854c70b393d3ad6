export * from './collection.ts';
export * from './kept-collections.ts';
export * from './request-facts.ts';
export * from './subject.ts';
export * from './transaction.ts';
