// One of a few values, under a name.

interface ChoiceProps<Value extends string | number> {
  name: string;
  value: Value;
  set: (value: Value) => void;
  options: readonly (readonly [Value, string])[];
}

export function Choice<Value extends string | number>({name, value, set, options}: ChoiceProps<Value>) {
  return (
    <label class="labelled">
      <span>{name}</span>
      <select
        value={value}
        onChange={(event) => {
          const chosen = options[event.currentTarget.selectedIndex];
          if (chosen !== undefined) set(chosen[0]);
        }}
      >
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
