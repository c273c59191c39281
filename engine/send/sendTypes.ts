// What modules above know of sending.
export type { Answer, Exchange, Send } from './exchange';
