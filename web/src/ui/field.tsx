import { type ReactNode, type RefObject, useRef } from 'react'
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { cx } from './cx.ts'
import styles from './field.module.css'
import { useIsSaving } from './form.tsx'

type FieldProps = Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> & {
  label: string
  /** Hint below the label. */
  help?: ReactNode
  /** Error message of this field. */
  error?: string | null
  /** Number of text lines; 1 by default. */
  rows?: number
  inputRef?: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  placeholder?: string
  /** Style for one-time codes: spaced digits, centred. */
  code?: boolean
}

export function TextField({
  label,
  help,
  error,
  rows = 1,
  inputRef,
  placeholder,
  code,
  ...props
}: FieldProps) {
  const words = useTranslations('ui')
  const isSaving = useIsSaving()
  const own = useRef(null)
  const ref = (inputRef ?? own) as RefObject<never>
  return (
    <AriaTextField
      {...props}
      isReadOnly={Boolean(props.isReadOnly) || isSaving}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={styles.label}>
        {label}
        {!props.isRequired && !props.isReadOnly && !props.isDisabled && (
          <span className={styles.optional}> {words('optional')}</span>
        )}
      </Label>
      {help && (
        <Text slot="description" className={styles.help}>
          {help}
        </Text>
      )}
      {rows > 1 ? (
        <TextArea ref={ref} rows={rows} placeholder={placeholder} className={styles.input} />
      ) : (
        <Input ref={ref} placeholder={placeholder} className={cx(styles.input, code && styles.code)} />
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </AriaTextField>
  )
}
