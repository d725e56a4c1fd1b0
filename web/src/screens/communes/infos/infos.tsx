import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { SaveBar } from '../../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { DeletedRows } from '../deleted-rows.tsx'
import { type EditedCommune, useSaveCommune } from '../editing.ts'
import styles from './infos.module.css'
import {
  bodyOf,
  type ContactKey,
  contactKeys,
  emptyRow,
  type Row,
  rowOf,
  rowsOf,
  withContact,
} from './rows.ts'

/** Form of the practical information, with the origin of each field and what the public sees. */
export function InfosForm({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes')
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.infos`, rowsOf(commune))
  const { mine } = draft
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune((now) => {
        draft.requireBase(rowsOf(now))
        return { infos: bodyOf(mine) }
      }),
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  /** Rows that the form omits are not counted by the service. */
  const wrong = (row: Row | undefined, name: string) => {
    if (row === undefined) return null
    const at = mine.filter(({ valeur }) => valeur.trim() !== '').indexOf(row)
    return messageFor(saving.error, `infos.${at}.${name}`)
  }
  const change = (row: Row, changed: Partial<Row>) =>
    draft.change(mine.map((one) => (one === row ? { ...one, ...changed } : one)))
  const contactRows = contactKeys.map((key) => rowOf(mine, key))
  const others = mine.filter((row) => !contactRows.includes(row))
  return (
    <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
      <DraftConflict draft={draft} linesOf={(rows) => rows.map(({ libelle, valeur }) => [libelle, valeur])} />
      <Section title={words('infos.contact')} note={words('infos.contactNote')}>
        {contactKeys.map((key) => (
          <Contact
            key={key}
            name={key}
            commune={commune}
            value={rowOf(mine, key)?.valeur ?? ''}
            error={wrong(rowOf(mine, key), 'valeur')}
            onChange={(valeur) => draft.change(withContact(mine, key, words(`contact.${key}`), valeur))}
          />
        ))}
      </Section>
      <Section title={words('infos.others')} note={words('infos.othersNote')}>
        {others.map((row) => (
          <fieldset
            key={mine.indexOf(row)}
            aria-label={row.libelle || words('infos.new')}
            className={styles.other}
          >
            <TextField
              label={words('infos.libelle')}
              isRequired
              value={row.libelle}
              onChange={(libelle) => change(row, { libelle })}
              error={wrong(row, 'libelle')}
            />
            <TextField
              label={words('infos.valeur')}
              isRequired
              rows={2}
              value={row.valeur}
              onChange={(valeur) => change(row, { valeur })}
              error={wrong(row, 'valeur')}
            />
            <IconButton
              icon="close"
              label={words('infos.remove', { name: row.libelle || words('infos.new') })}
              onPress={() => draft.change(mine.filter((one) => one !== row))}
            />
          </fieldset>
        ))}
        <div>
          <Button onPress={() => draft.change([...mine, emptyRow(mine)])}>{words('infos.add')}</Button>
        </div>
      </Section>
      <DeletedRows communeId={commune.id} kind="info" />
      <SaveBar
        isChanged={draft.isChanged}
        isPending={saving.isPending}
        error={saving.error}
        onDiscard={() => {
          draft.clear()
          saving.reset()
        }}
      />
    </Form>
  )
}

type ContactProps = {
  name: ContactKey
  commune: EditedCommune
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** Shows a field of the contact: what the public sees, its source, and the commune's own value. */
function Contact({ name, commune: { infos, mairie }, value, error, onChange }: ContactProps) {
  const words = useTranslations('communes')
  const source = infos.sources[name]
  return (
    <div className={styles.contact}>
      <TextField
        label={words(`contact.${name}`)}
        {...(source === 'mairie' && value !== '' && { help: words('infos.fallback') })}
        value={value}
        onChange={onChange}
        error={error}
      />
      <p className={styles.seen}>
        {infos[name] === null ? (
          <Badge tone="warn">{words('infos.unseen')}</Badge>
        ) : (
          <>
            <span>{words('infos.seen', { value: infos[name] })}</span>{' '}
            <Badge tone={source === 'mairie' ? 'accent' : 'good'}>
              {source === 'mairie'
                ? words('infos.fromMairie', { name: mairie?.nom ?? '' })
                : words('infos.fromCommune')}
            </Badge>
          </>
        )}
      </p>
    </div>
  )
}
