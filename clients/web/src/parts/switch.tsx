/** A setting that is on or off. */

interface SwitchProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Switch({ label, value, onChange }: SwitchProps) {
  return (
    <label>
      <span>{label}</span>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    </label>
  );
}
