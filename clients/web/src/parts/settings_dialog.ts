/** Whether the settings are open: the header and the lobby open them. */

import { signal } from "@preact/signals";

export const areSettingsOpen = signal(false);
