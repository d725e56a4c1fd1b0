import { Select } from './select.tsx'

type FilterSelectProps<Value extends string> = {
  label: string
  /** Label of the choice without this filter. */
  any: string
  value: Value | undefined
  onChange: (value: Value | undefined) => void
  options: readonly { value: Value; label: string }[]
  quietLabel?: boolean
}

/** Select whose first choice is "all". */
export function FilterSelect<Value extends string>({
  any,
  value,
  onChange,
  options,
  ...props
}: FilterSelectProps<Value>) {
  return (
    <Select<Value | ''>
      {...props}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      options={[{ value: '', label: any }, ...options]}
    />
  )
}
