/** A link to a rule on the page of its game. */

import { say, serverLang } from "../i18n/languages.ts";

export function RuleLink({ game, rule }: { game: string; rule: string }) {
  return (
    <a class="rule small" target="_blank" rel="noopener" href={`docs/games/${game}?lang=${serverLang.value}#${rule}`}>
      {say("rule", { rule })}
    </a>
  );
}
