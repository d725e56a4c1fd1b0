import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import {
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  ToggleButton,
  Toolbar,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { addressOf } from './addresses.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import field from './field.module.css'
import { useIsSaving } from './form.tsx'
import { Icon, type IconName } from './icon.tsx'
import { asBlocks, blocksOf, linkOf, parse, written } from './markup.ts'
import styles from './rich-editor.module.css'
import textStyles from './rich-text.module.css'
import { Tip } from './tip.tsx'

type RichEditorProps = {
  label: string
  help?: string
  error?: string | null
  /** Initial text. To replace it, change `key`: the browser owns the edited content. */
  defaultValue: string
  /** Called with HTML that the service stores unchanged. */
  onChange: (html: string) => void
}

/**
 * Edits formatted text. It uses the browser's own editing commands, so that undo, spell checking and system
 * shortcuts work. Output, pasted and dropped content keep allowed elements only.
 */
export function RichEditor({ label, help, error, defaultValue, onChange }: RichEditorProps) {
  const words = useTranslations('editor')
  const id = useId()
  const text = useRef<HTMLDivElement>(null)
  const [first] = useState(() => asBlocks(defaultValue))
  const { marks, carryOut, selectionIn } = useCommands(text)
  const [isAsking, setAsking] = useState(false)
  const isSaving = useIsSaving()
  useEditing(text, first, isSaving, onChange)
  const putLink = (address: string) => {
    setAsking(false)
    carryOut(() => {
      if (selectionIn()?.collapsed) document.execCommand('insertHTML', false, linkOf(address))
      else document.execCommand('createLink', false, address)
    })
  }
  const unlink = () => {
    const start = selectionIn()?.startContainer
    const link = (start instanceof Element ? start : start?.parentElement)?.closest('a')
    // Selects the whole link around the cursor.
    if (link) getSelection()?.selectAllChildren(link)
    document.execCommand('unlink')
  }
  const commands: { name: Mark | 'link'; icon: IconName; run: () => void }[] = [
    { name: 'bold', icon: 'bold', run: () => carryOut('bold') },
    { name: 'italic', icon: 'italic', run: () => carryOut('italic') },
    {
      name: 'heading',
      icon: 'heading',
      run: () => carryOut('formatBlock', marks.has('heading') ? 'p' : 'h3'),
    },
    { name: 'list', icon: 'list', run: () => carryOut('insertUnorderedList') },
    { name: 'numbers', icon: 'numbers', run: () => carryOut('insertOrderedList') },
    {
      name: 'link',
      icon: 'link',
      run: () => (marks.has('link') ? carryOut(unlink) : setAsking(!isAsking)),
    },
  ]
  return (
    <div className={field.field}>
      <span id={`${id}-label`} className={field.label}>
        {label}
      </span>
      {help && (
        <span id={`${id}-help`} className={field.help}>
          {help}
        </span>
      )}
      <div className={cx(styles.frame, error && styles.invalid)}>
        <Toolbar aria-label={words('toolbar')} className={styles.toolbar}>
          {commands.map(({ name, icon, run }) => {
            const title = words(name === 'link' && marks.has('link') ? 'unlink' : name)
            return (
              <Tip key={name} text={title}>
                <ToggleButton
                  aria-label={title}
                  isSelected={marks.has(name)}
                  isDisabled={isSaving}
                  onChange={run}
                  className={styles.command}
                >
                  <Icon name={icon} />
                </ToggleButton>
              </Tip>
            )
          })}
        </Toolbar>
        {isAsking && <LinkRow onClose={() => carryOut(() => setAsking(false))} onLink={putLink} />}
        {/* biome-ignore lint/a11y/useSemanticElements: a textarea shows no headings, lists or links */}
        <div
          ref={text}
          className={cx(textStyles.text, styles.text)}
          contentEditable
          suppressContentEditableWarning
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-labelledby={`${id}-label`}
          aria-describedby={cx(help && `${id}-help`, error && `${id}-error`) || undefined}
        />
      </div>
      {error && (
        <span id={`${id}-error`} className={field.error}>
          {error}
        </span>
      )}
    </div>
  )
}

/** Fills the element at first, and reports what is typed or pasted into it. While it is locked, nothing changes it. */
function useEditing(
  text: RefObject<HTMLElement | null>,
  first: string,
  isLocked: boolean,
  onChange: (html: string) => void,
) {
  const latest = useRef(onChange)
  latest.current = onChange
  const locked = useRef(isLocked)
  locked.current = isLocked
  useEffect(() => {
    const element = text.current
    if (element === null) return
    element.replaceChildren(...parse(first).childNodes)
    document.execCommand('defaultParagraphSeparator', false, 'p')
    const read = () => latest.current(written(element))
    const clean = (event: InputEvent) => {
      if (locked.current) event.preventDefault()
      if (locked.current || (event.inputType !== 'insertFromPaste' && event.inputType !== 'insertFromDrop'))
        return
      event.preventDefault()
      const html = event.dataTransfer?.getData('text/html')
      const plain = event.dataTransfer?.getData('text/plain') ?? ''
      document.execCommand('insertHTML', false, html ? written(parse(html)) : blocksOf(plain))
    }
    element.addEventListener('beforeinput', clean)
    element.addEventListener('input', read)
    return () => {
      element.removeEventListener('beforeinput', clean)
      element.removeEventListener('input', read)
    }
  }, [text, first])
}

type LinkRowProps = { onLink: (address: string) => void; onClose: () => void }

/** Asks for the address of a link. Escape returns to the text and does not close a surrounding dialog. */
function LinkRow({ onLink, onClose }: LinkRowProps) {
  const words = useTranslations('editor')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const put = () => {
    const address = addressOf(typed)
    if (address === null) setWrong(true)
    else onLink(address)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else put()
  }
  return (
    <div className={styles.link} onKeyDownCapture={press}>
      <AriaTextField
        value={typed}
        onChange={(text) => {
          setTyped(text)
          setWrong(false)
        }}
        type="url"
        autoFocus
        isInvalid={isWrong}
        validationBehavior="aria"
        className={styles.address}
      >
        <Label>{words('address')}</Label>
        <Input className={field.input} placeholder="https://" />
        <FieldError className={field.error}>{words('noAddress')}</FieldError>
      </AriaTextField>
      <Button small onPress={put}>
        {words('putLink')}
      </Button>
    </div>
  )
}

const marksOf = {
  bold: 'bold',
  italic: 'italic',
  list: 'insertUnorderedList',
  numbers: 'insertOrderedList',
} as const
type Mark = keyof typeof marksOf | 'heading' | 'link'

/** Returns the formats at the cursor, and commands that act on the last selection, even without focus. */
function useCommands(text: RefObject<HTMLElement | null>) {
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set<Mark>())
  const last = useRef<Range | null>(null)
  const selectionIn = () => {
    const selection = getSelection()
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
    return range !== null && text.current?.contains(range.commonAncestorContainer) ? range : null
  }
  const look = () => {
    const range = selectionIn()
    if (range === null) return
    last.current = range.cloneRange()
    const start = range.startContainer
    const element = start instanceof Element ? start : start.parentElement
    const found = new Set<Mark>()
    for (const [mark, command] of Object.entries(marksOf))
      if (document.queryCommandState(command)) found.add(mark as Mark)
    // The browser reports headings as bold.
    if (element?.closest('h2, h3, h4')) found.add('heading').delete('bold')
    if (element?.closest('a')) found.add('link')
    setMarks(found)
  }
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    const onChange = () => latest.current()
    document.addEventListener('selectionchange', onChange)
    return () => document.removeEventListener('selectionchange', onChange)
  }, [])
  const carryOut = (command: string | (() => void), value?: string) => {
    text.current?.focus()
    const selection = getSelection()
    if (last.current !== null && selection !== null) {
      selection.removeAllRanges()
      selection.addRange(last.current)
    }
    if (typeof command === 'function') command()
    else document.execCommand(command, false, value)
    look()
  }
  return { marks, carryOut, selectionIn }
}
