import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useAdds } from '../../shell/navigation/adds.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { EditDialog, useSaving } from './edit.tsx'
import { type PublicationType, saveType, typesQuery } from './queries.ts'

/** Types of publications, in the order of lists. */
export function TypesScreen() {
  const words = useTranslations('reference')
  const types = useQuery(typesQuery)
  const client = useQueryClient()
  const [edited, setEdited] = useState<PublicationType | 'new' | null>(null)
  useAdds(() => setEdited('new'))
  const last = Math.max(0, ...(types.data ?? []).map(({ position }) => position))
  return (
    <Page
      title={words('types.title')}
      actions={
        <Button look="primary" onPress={() => setEdited('new')}>
          {words('types.add')}
        </Button>
      }
    >
      <Link to="/system">{words('back')}</Link>
      <QueryState query={types} lines={6} />
      {types.data && (
        <Table
          label={words('types.title')}
          items={types.data}
          empty={<p>{words('types.empty')}</p>}
          columns={[
            { id: 'libelle', title: words('label'), cell: ({ libelle }) => <strong>{libelle}</strong> },
            { id: 'slug', title: words('types.slug'), cell: ({ slug }) => <code>{slug}</code> },
            {
              id: 'position',
              title: words('types.position'),
              isFigure: true,
              cell: ({ position }) => position,
            },
            {
              id: 'actions',
              title: words('actions'),
              cell: (type) => (
                <Button
                  small
                  aria-label={words('editNamed', { name: type.libelle })}
                  onPress={() => setEdited(type)}
                >
                  {words('edit')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {edited !== null && (
        <TypeDialog
          type={edited === 'new' ? null : (types.data?.find(({ id }) => id === edited.id) ?? edited)}
          next={last + 10}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            void client.invalidateQueries({ queryKey: ['publication-types'] })
          }}
        />
      )}
    </Page>
  )
}

const typedOf = ({ libelle, position }: PublicationType) => ({ libelle, position: String(position) })

type TypeProps = { type: PublicationType | null; next: number; onClose: () => void; onSaved: () => void }

function TypeDialog({ type, next, onClose, onSaved }: TypeProps) {
  const words = useTranslations('reference')
  const client = useQueryClient()
  const draft = usePartDraft(
    `publication-type.${type?.id ?? 'new'}`,
    type === null ? { libelle: '', position: String(next) } : typedOf(type),
  )
  const { libelle, position } = draft.mine
  const { saving, wrong } = useSaving(
    async () => {
      const body = { libelle: libelle.trim(), position: Number(position) }
      if (type === null) return saveType(null, body)
      await saveNewest(client, typesQuery, (types) => {
        const now = types.find(({ id }) => id === type.id) ?? type
        draft.requireBase(typedOf(now))
        return saveType(now, body)
      })
    },
    () => {
      draft.clear()
      onSaved()
    },
  )
  // The place proposed for a new type may have changed: that is no conflict.
  const isBehind = type !== null && draft.isBehind
  const isNumber = /^-?\d{1,5}$/.test(position.trim())
  const isEmpty = libelle.trim() === ''
  const submit = () => {
    if (isNumber && !isEmpty && !isBehind) saving.submit()
  }
  return (
    <EditDialog
      title={type === null ? words('types.add') : words('editNamed', { name: type.libelle })}
      saving={saving}
      draft={draft}
      conflict={
        isBehind && (
          <DraftConflict
            draft={draft}
            linesOf={(typed) => [
              [words('label'), typed.libelle],
              [words('types.position'), typed.position],
            ]}
          />
        )
      }
      taken={words('types.taken')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words('label')}
        isRequired
        autoFocus
        maxLength={100}
        value={libelle}
        onChange={(text) => draft.put({ libelle: text })}
        error={wrong('libelle') ?? wrong('slug')}
      />
      <TextField
        label={words('types.position')}
        help={words('types.positionHelp')}
        isRequired
        inputMode="numeric"
        value={position}
        onChange={(text) => draft.put({ position: text })}
        error={isNumber ? wrong('position') : words('types.number')}
      />
      {type && <RecordHistory kind="publication_type" id={type.id} />}
    </EditDialog>
  )
}
