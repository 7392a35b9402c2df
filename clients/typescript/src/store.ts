/** Stores: values that change, in the form that React, Svelte, signals and others use without an adapter. */

export type Unsubscribe = () => void;
export type Subscribe<T> = (listener: (value: T) => void) => Unsubscribe;

/** A value and those who follow it. */
export interface Store<T> {
  readonly value: T;
  /** Call the listener now and after every change, until the returned function is called. */
  readonly subscribe: Subscribe<T>;
  /** Replace the value and call all listeners; one that throws does not stop the others. */
  set(value: T): void;
  /** Return a promise of the first result of `find` that is not undefined; it is asked now and after every change. */
  until<R>(find: (value: T) => R | undefined): Promise<R>;
}

/** Create a store. */
export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<(value: T) => void>();
  const store = {
    value,
    subscribe(listener: (value: T) => void): Unsubscribe {
      listeners.add(listener);
      listener(store.value);
      return () => listeners.delete(listener);
    },
    set(value: T): void {
      store.value = value;
      notify(listeners, value);
    },
    until<R>(find: (value: T) => R | undefined): Promise<R> {
      return new Promise((resolve, reject) => {
        const check = async (value: T) => {
          try {
            const found = find(value);
            if (found === undefined) return;
            resolve(found);
          } catch (error) {
            reject(error);
          }
          await null; // `subscribe` may not have returned yet
          stop();
        };
        const stop = store.subscribe(check);
      });
    },
  };
  return store;
}

/** Call all listeners that are there now; an error of one is the page's, and is thrown where the page notices it. */
export function notify<T>(listeners: Set<(value: T) => void>, value: T): void {
  for (const listener of [...listeners]) {
    try {
      listener(value);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }
}
