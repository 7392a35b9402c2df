/** Parts that are loaded when they are first shown. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { say } from "../i18n/languages.ts";
import { fail } from "../session.ts";

const Loading = () => <p class="waiting">{say("loading")}</p>;

/** Return a component that loads another one, and shows that it loads. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Waiting: ComponentType = Loading,
): ComponentType<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const found = useSignal(loaded);
    useEffect(() => {
      loading ??= load();
      loading.then(
        (component) => {
          loaded = component;
          found.value = component;
        },
        (error) => {
          loading = null;
          fail(error);
        },
      );
    }, []);
    const Component = found.value;
    return Component ? <Component {...props} /> : <Waiting />;
  };
}
