import {
  type CalendarDate,
  type CalendarDateTime,
  parseDate,
  parseDateTime,
  parseTime,
  type Time,
} from '@internationalized/date'
import { type ReactNode, useRef, useState } from 'react'
import {
  TimeField as AriaTimeField,
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  FieldError,
  Group,
  Heading,
  Label,
  Popover,
  Text,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { cx } from './cx.ts'
import styles from './date-field.module.css'
import { Typing } from './date-typing.tsx'
import field from './field.module.css'
import { useIsSaving } from './form.tsx'
import { Icon } from './icon.tsx'
import select from './select.module.css'

type DateFieldProps = {
  label: string
  /** Leaves the label to screen readers: what stands around the field explains it. */
  quietLabel?: boolean
  help?: ReactNode
  error?: string | null
  isRequired?: boolean
  /** A filter, which is not said to be optional. */
  isFilter?: boolean
  autoFocus?: boolean
  /** The day is not in the future: a part of a date means the latest such day, not the next. A filter's is not by default. */
  isPast?: boolean
  /** `2026-10-03`, `2026-10-03T09:30` or `09:30`, by the kind of field; empty: nothing, or not all of it. */
  value: string
  onChange: (value: string) => void
}

/** A day, or with `withTime` a day and a time in Paris, typed in the application's language or chosen in a calendar. */
export function DateField({
  withTime = false,
  value,
  onChange,
  ...props
}: DateFieldProps & { withTime?: boolean }) {
  const words = useTranslations('ui')
  const isReadOnly = useIsSaving()
  const { label, quietLabel, isFilter, isPast, help, error, ...others } = props
  // A filter is applied at once: not before its year is typed to the end, which 2, 20 and 202 are not.
  const [early, setEarly] = useState<string | null>(null)
  const put = (typed: CalendarDate | CalendarDateTime | null) => {
    const text = typed?.toString().slice(0, 16) ?? ''
    const isEarly = isFilter === true && typed !== null && typed.year < 1000
    setEarly(isEarly ? text : null)
    if (!isEarly) onChange(text)
  }
  const shown = early ?? value
  const shared = {
    ...others,
    onChange: put,
    onBlur: () => setEarly(null),
    isReadOnly,
    isInvalid: Boolean(error),
    validationBehavior: 'aria',
    shouldForceLeadingZeros: true,
    className: field.field ?? '',
    ...(quietLabel && { 'aria-label': label }),
  } as const
  const content = (
    <>
      <Parts {...props} />
      <Group className={styles.box}>
        <Segments className={styles.input ?? ''} isPast={isPast ?? isFilter} />
        {value !== '' && !props.isRequired && !isReadOnly && (
          <Button
            slot={null}
            className={styles.tool}
            aria-label={words('clearDate', { label })}
            onPress={() => onChange('')}
          >
            <Icon name="close" />
          </Button>
        )}
        <Button className={styles.tool}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <p className={styles.partial}>{words('partialDate')}</p>
      <FieldError className={field.error}>{error}</FieldError>
      <Popover className={select.popover} offset={4}>
        <Dialog className={styles.dialog}>
          <Month />
        </Dialog>
      </Popover>
    </>
  )
  return withTime ? (
    <DatePicker<CalendarDateTime> {...shared} granularity="minute" value={parsed(parseDateTime, shown)}>
      {content}
    </DatePicker>
  ) : (
    <DatePicker<CalendarDate> {...shared} granularity="day" value={parsed(parseDate, shown)}>
      {content}
    </DatePicker>
  )
}

/** A time of the day, as `09:30`. */
export function TimeField({ value, onChange, ...props }: DateFieldProps) {
  const words = useTranslations('ui')
  const isReadOnly = useIsSaving()
  const { label, quietLabel, isFilter, isPast: _, help, error, ...others } = props
  return (
    <AriaTimeField<Time>
      {...others}
      value={parsed(parseTime, value)}
      onChange={(typed) => onChange(typed?.toString().slice(0, 5) ?? '')}
      isReadOnly={isReadOnly}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      shouldForceLeadingZeros
      className={field.field ?? ''}
      {...(quietLabel && { 'aria-label': label })}
    >
      <Parts {...props} />
      <Segments isTime className={cx(styles.box, styles.input)} />
      <p className={styles.partial}>{words('partialDate')}</p>
      <FieldError className={field.error}>{error}</FieldError>
    </AriaTimeField>
  )
}

/** Label and hint of a field. */
function Parts({
  label,
  quietLabel,
  help,
  isRequired,
  isFilter,
}: Omit<DateFieldProps, 'value' | 'onChange'>) {
  const words = useTranslations('ui')
  return (
    <>
      {!quietLabel && (
        <Label className={field.label}>
          {label}
          {!isRequired && !isFilter && <span className={field.optional}> {words('optional')}</span>}
        </Label>
      )}
      {help && (
        <Text slot="description" className={field.help}>
          {help}
        </Text>
      )}
    </>
  )
}

type SegmentsProps = { className: string; isTime?: boolean; isPast?: boolean | undefined }

/** The parts of a date or time, typed as people write them. Enter sends the form, as in other fields. */
function Segments({ className, isTime = false, isPast = false }: SegmentsProps) {
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} className={styles.keys} data-date>
      <DateInput className={className}>
        {(segment) => (
          <>
            <DateSegment segment={segment} className={styles.segment} />
            {segment.type === (isTime ? 'hour' : 'day') && <Typing place={place} isPast={isPast} />}
          </>
        )}
      </DateInput>
    </div>
  )
}

const Month = () => (
  <Calendar>
    <header className={styles.head}>
      <Button slot="previous" className={styles.tool}>
        <Icon name="back" />
      </Button>
      <Heading className={styles.month} />
      <Button slot="next" className={styles.tool}>
        <Icon name="right" />
      </Button>
    </header>
    <CalendarGrid className={styles.grid}>
      <CalendarGridHeader>
        {(day) => <CalendarHeaderCell className={styles.weekday}>{day}</CalendarHeaderCell>}
      </CalendarGridHeader>
      <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles.day} />}</CalendarGridBody>
    </CalendarGrid>
  </Calendar>
)

/** Null for what is empty or no such date. */
function parsed<Value>(parse: (text: string) => Value, text: string): Value | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}
