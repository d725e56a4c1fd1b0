import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
import { useDraft } from '../../shell/drafts.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './acteurs.module.css'
import {
  type Choice,
  communesQuery,
  createActeur,
  type Listed,
  updateActeur,
  type Values,
} from './queries.ts'
import { type ActeurType, acteurTypes } from './search.ts'

const lines = { adresse: 500, telephone: 50, email: 254, site_web: 2_000 } as const
type Line = keyof typeof lines
type Typed = Record<'nom' | 'description' | Line, string> & { type: ActeurType; commune: Choice | null }

/** `version` and `base`: what the draft is based on. `key`: idempotency key, kept across retries. */
type Draft = { version: number; base: Typed; mine: Typed; key: string }

const typedOf = (acteur: Listed | null): Typed => ({
  nom: acteur?.nom ?? '',
  type: acteur?.type ?? 'association',
  commune: acteur?.commune ? { id: acteur.commune.id, nom: acteur.commune.nom } : null,
  description: acteur?.description ?? '',
  adresse: acteur?.adresse ?? '',
  telephone: acteur?.telephone ?? '',
  email: acteur?.email ?? '',
  site_web: acteur?.site_web ?? '',
})

function read(stored: string): Draft | null {
  try {
    return stored === '' ? null : (JSON.parse(stored) as Draft)
  } catch {
    return null
  }
}

type FormProps = { acteur: Listed | null; onClose: () => void; onSaved: (acteur: Listed) => void }

/** Form of an acteur's own data, new or stored. The draft stays on the device until it is saved or discarded. */
export function ActeurForm({ acteur, onClose, onSaved }: FormProps) {
  const words = useTranslations('acteurs')
  const client = useQueryClient()
  const [stored, store, clear] = useDraft(`acteur.${acteur?.id ?? 'new'}`)
  const [fresh] = useState<Draft>(() => {
    const base = typedOf(acteur)
    return { version: acteur?.version ?? 0, base, mine: base, key: crypto.randomUUID() }
  })
  const draft = read(stored) ?? fresh
  const { mine, base } = draft
  const [typedCommune, setTypedCommune] = useState(mine.commune?.nom ?? '')
  const { data: communes = [] } = useQuery(communesQuery(typedCommune))
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const wrong = (name: string) =>
    error instanceof ApiFailure ? (error.details.find(({ field }) => field === name)?.message ?? null) : null
  const change = (changed: Partial<Typed>) =>
    store(JSON.stringify({ ...draft, mine: { ...mine, ...changed } }))
  const isBehind = error instanceof ApiFailure && error.status === 412
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (isPending) return
    setPending(true)
    setError(null)
    try {
      const values = valuesOf(mine, acteur === null ? null : base)
      const saved =
        acteur === null
          ? await createActeur(draft.key, values)
          : await updateActeur({ id: acteur.id, version: draft.version }, values)
      clear()
      showToast({ title: words(acteur === null ? 'added' : 'saved', { nom: saved.nom }) })
      void client.invalidateQueries({ queryKey: ['acteurs'] })
      onClose()
      onSaved(saved)
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const discard = () => {
    clear()
    onClose()
  }
  return (
    <Dialog
      wide
      title={words(acteur === null ? 'add' : 'edit')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {stored !== '' && (
            <Button look="quiet" onPress={discard}>
              {words('discard')}
            </Button>
          )}
          <Button look="primary" type="submit" form="acteur" isPending={isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <form ref={form} id="acteur" className={styles.form} onSubmit={(event) => void save(event)} noValidate>
        {isBehind && acteur !== null ? (
          <Notice
            tone="warn"
            title={words('behind')}
            action={
              <Button
                small
                onPress={() => {
                  store(JSON.stringify({ ...draft, version: acteur.version, base: typedOf(acteur) }))
                  setError(null)
                }}
              >
                {words('keepMine')}
              </Button>
            }
          >
            <p>{words('behindText')}</p>
          </Notice>
        ) : (
          error !== null && <ShownFailure error={error} />
        )}
        <TextField
          label={words('nom')}
          isRequired
          autoFocus
          maxLength={200}
          value={mine.nom}
          onChange={(nom) => change({ nom })}
          error={wrong('nom')}
        />
        <div className={styles.pair}>
          <Select
            label={words('type')}
            value={mine.type}
            onChange={(type) => change({ type })}
            options={acteurTypes.map((value) => ({ value, label: words(`types.${value}`) }))}
          />
          <Combo
            label={words('commune')}
            typed={typedCommune}
            onType={setTypedCommune}
            items={communes}
            chosen={mine.commune}
            onChoose={(commune) => change({ commune })}
            error={wrong('commune_id')}
          />
        </div>
        <TextField
          label={words('description')}
          rows={4}
          maxLength={5_000}
          value={mine.description}
          onChange={(description) => change({ description })}
          error={wrong('description')}
        />
        {(Object.keys(lines) as Line[]).map((name) => (
          <TextField
            key={name}
            label={words(name)}
            maxLength={lines[name]}
            autoComplete="off"
            value={mine[name]}
            onChange={(value) => change({ [name]: value })}
            error={wrong(name)}
          />
        ))}
      </form>
    </Dialog>
  )
}

/** Returns the values to send: of a stored acteur only those that differ. An empty text clears the field. */
function valuesOf(mine: Typed, base: Typed | null): Values {
  const all = (typed: Typed) => ({
    nom: typed.nom.trim(),
    type: typed.type,
    commune_id: typed.commune?.id ?? null,
    description: typed.description.trim() || null,
    ...Object.fromEntries(Object.keys(lines).map((name) => [name, typed[name as Line].trim() || null])),
  })
  const values = Object.entries(all(mine))
  if (base === null) return Object.fromEntries(values.filter(([, value]) => value !== null)) as Values
  const before: Record<string, unknown> = all(base)
  return Object.fromEntries(values.filter(([name, value]) => before[name] !== value)) as Values
}
