import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef } from 'react'
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  FieldError,
  Input,
  type Key,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import styles from './combo.module.css'
import { cx } from './cx.ts'
import field from './field.module.css'
import { Icon } from './icon.tsx'
import { Soft } from './layout.tsx'
import select from './select.module.css'

/** Option of a combo box. */
export type Choice = { id: string; nom: string; note?: string }

type ComboProps<Item> = {
  label: string
  help?: string
  error?: string | null
  isRequired?: boolean
  /** Text in the field; the parent component searches for it. */
  typed: string
  onType: (text: string) => void
  /** Search results. */
  items: readonly Item[]
  /** The results of the typed text are still awaited: `items` belong to an earlier one. */
  isSearching?: boolean
  chosen: Item | null
  onChoose: (item: Item | null) => void
}

/** Choice of one among many options, found by a few letters. Clearing the field clears the choice. */
export function Combo<Item extends Choice>({
  label,
  help,
  error,
  isRequired,
  typed,
  onType,
  items,
  isSearching = false,
  chosen,
  onChoose,
}: ComboProps<Item>) {
  const words = useTranslations('ui')
  // React Aria clears a choice that is not among the options.
  const offered = chosen === null || items.some(({ id }) => id === chosen.id) ? items : [chosen, ...items]
  // While results arrive, React Aria may not know the choice yet and would empty the field: only the user does.
  const choose = (id: string | number | null) => {
    const item = offered.find((found) => found.id === id)
    if (item === undefined) return
    onChoose(item)
    onType(item.nom)
  }
  const type = (text: string) => {
    if (text !== '' || chosen === null) onType(text)
  }
  const clear = (text: string) => {
    if (text !== '' || chosen === null) return
    onChoose(null)
    onType('')
  }
  return (
    <ComboBox
      items={offered}
      inputValue={typed}
      onInputChange={type}
      value={chosen?.id ?? null}
      onChange={choose}
      allowsEmptyCollection
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={field.field}
    >
      <Label className={field.label}>
        {label}
        {!isRequired && <span className={field.optional}> {words('optional')}</span>}
      </Label>
      {help && (
        <Text slot="description" className={field.help}>
          {help}
        </Text>
      )}
      <Box
        typed={typed}
        items={items}
        isSearching={isSearching && typed !== (chosen?.nom ?? '')}
        onType={clear}
        onChoose={choose}
      >
        <Input className={cx(field.input, styles.input)} />
        <Button className={styles.open}>
          <Icon name="down" />
        </Button>
      </Box>
      <FieldError className={field.error}>{error}</FieldError>
      <Popover className={select.popover} offset={4}>
        <ListBox<Item>
          className={select.list}
          renderEmptyState={() => <p className={styles.empty}>{isSearching ? '…' : words('nothingFound')}</p>}
        >
          {({ id, nom, note }) => (
            <ListBoxItem id={id} textValue={nom} className={select.item}>
              {nom}
              {note && <Soft as="span">{note}</Soft>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

type BoxProps = {
  typed: string
  items: readonly Choice[]
  isSearching: boolean
  onType: (text: string) => void
  onChoose: (id: string) => void
  children: ReactNode
}

/** Keys pressed while the results are awaited: how often ArrowDown, and whether Enter came after it. */
type Held = { downs: number; isEntered: boolean }

/**
 * Holds ArrowDown and Enter until the results of the typed text arrive, and applies them to these. Pressed at once, they
 * would choose an option of an earlier search, or none.
 */
function Box({ typed, items, isSearching, onType, onChoose, children }: BoxProps) {
  const state = useContext(ComboBoxStateContext)
  const held = useRef<Held | null>(null)
  const forget = () => {
    held.current = null
  }
  /** Escape closes the list, then the dialog: React Aria would close both, or empty the field and close neither. */
  const leave = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // Its `close` takes what was typed as a choice, and the list opens again.
    if (state?.isOpen) return state.setOpen(false)
    const around = event.currentTarget.parentElement
    around?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  }
  const hold = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return leave(event)
    if (!['ArrowDown', 'ArrowUp'].includes(event.key)) reached.current = null
    const { downs, isEntered } = held.current ?? { downs: 0, isEntered: false }
    // The list may be closed for a moment, when the page scrolls: then Enter would send the form.
    const isHeld = event.key === 'ArrowDown' || (event.key === 'Enter' && (state?.isOpen || downs > 0))
    if (!isSearching || !state || !isHeld) return forget()
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'ArrowDown') held.current = { downs: downs + 1, isEntered }
    else if (downs > 0) held.current = { downs, isEntered: true }
    if (!state.isOpen) state.open()
  }
  // React Aria closes the list when the page scrolls. It opens again, as the typed text chose nothing, but at no option.
  const reached = useRef<{ key: Key; typed: string } | null>(null)
  useEffect(() => {
    if (!state) return
    const { focusedKey } = state.selectionManager
    if (focusedKey !== null) reached.current = { key: focusedKey, typed }
    else if (
      state.isOpen &&
      reached.current?.typed === typed &&
      state.collection.getItem(reached.current.key)
    )
      state.selectionManager.setFocusedKey(reached.current.key)
  })
  // The list knows its new options a moment after the results have arrived.
  useEffect(() => {
    if (isSearching || held.current === null) return
    const { downs, isEntered } = held.current
    const item = items[Math.min(downs, items.length) - 1]
    if (item !== undefined && !isEntered && !state?.collection.getItem(item.id)) return
    held.current = null
    if (item === undefined) return
    if (isEntered) onChoose(item.id)
    else state?.selectionManager.setFocusedKey(item.id)
  })
  return (
    <div
      role="presentation"
      className={styles.box}
      onInputCapture={({ target }) => onType((target as HTMLInputElement).value)}
      onKeyDownCapture={hold}
      onBlurCapture={forget}
    >
      {children}
    </div>
  )
}
