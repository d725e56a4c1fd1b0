import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  Switch as AriaSwitch,
  type CheckboxProps,
  Label,
  Radio,
  RadioGroup,
  type SwitchProps,
} from 'react-aria-components'
import styles from './choice.module.css'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icon.tsx'

type CheckProps = Omit<CheckboxProps, 'className' | 'style' | 'children'> & { children?: ReactNode }

export function Checkbox({ children, ...props }: CheckProps) {
  return (
    <AriaCheckbox {...props} className={styles.check}>
      {({ isIndeterminate }) => (
        <>
          <span className={styles.box}>
            {isIndeterminate ? <span className={styles.dash} /> : <Icon name="check" />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  )
}

export function Switch({
  children,
  ...props
}: Omit<SwitchProps, 'className' | 'style' | 'children'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...props} className={styles.switch}>
      <span className={styles.track} />
      {children}
    </AriaSwitch>
  )
}

type SegmentedProps<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: string; icon?: IconName }[]
  /** Leaves the label to screen readers: the options explain themselves. */
  quietLabel?: boolean
  /** Larger targets that fill the width, for a form on a phone. */
  large?: boolean
}

/** Choice of one among a few options, all of them visible. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  quietLabel,
  large,
}: SegmentedProps<Value>) {
  return (
    <RadioGroup
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      orientation="horizontal"
      className={styles.group}
      {...(quietLabel && { 'aria-label': label })}
    >
      {!quietLabel && <Label className={styles.label}>{label}</Label>}
      <div className={cx(styles.segments, large && styles.large)}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={styles.segment}>
            {option.icon && <Icon name={option.icon} />}
            {option.label}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
