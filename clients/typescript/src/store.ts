/** Stores: values that change, in the form that React, Svelte, signals and others use without an adapter. */

export type Unsubscribe = () => void;

/** A value and those who follow it. */
export class Store<T> {
  value: T;
  #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.value = value;
  }

  /** Call the listener now and after every change, until the returned function is called. */
  readonly subscribe = (listener: (value: T) => void): Unsubscribe => {
    const own = (value: T) => listener(value); // the same function may subscribe twice
    this.#listeners.add(own);
    own(this.value);
    return () => this.#listeners.delete(own);
  };

  /** Replace the value and call all listeners; one that throws does not stop the others. */
  set(value: T): void {
    this.value = value;
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
  }

  /** Return a promise of the first result of `find` that is not undefined, computed now and after every change. */
  until<R>(find: (value: T) => R | undefined): Promise<R> {
    return new Promise((resolve, reject) => {
      const stop = this.subscribe((value) => {
        try {
          const found = find(value);
          if (found !== undefined) resolve(found);
          else return;
        } catch (error) {
          reject(error);
        }
        queueMicrotask(() => stop()); // `subscribe` may not have returned yet
      });
    });
  }
}
