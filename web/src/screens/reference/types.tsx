import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
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
      {types.isPending && <Skeleton lines={6} />}
      {types.isError && <ShownFailure error={types.error} onRetry={() => void types.refetch()} />}
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
              id: 'deeds',
              title: words('deeds'),
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
          type={edited === 'new' ? null : edited}
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

type TypeProps = { type: PublicationType | null; next: number; onClose: () => void; onSaved: () => void }

function TypeDialog({ type, next, onClose, onSaved }: TypeProps) {
  const words = useTranslations('reference')
  const [libelle, setLibelle] = useState(type?.libelle ?? '')
  const [position, setPosition] = useState(String(type?.position ?? next))
  const { saving, wrong } = useSaving(
    () => saveType(type, { libelle: libelle.trim(), position: Number(position) }),
    onSaved,
  )
  const isNumber = /^-?\d{1,5}$/.test(position.trim())
  const isEmpty = libelle.trim() === ''
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isNumber && !isEmpty) saving.mutate()
  }
  return (
    <EditDialog
      title={type === null ? words('types.add') : words('editNamed', { name: type.libelle })}
      saving={saving}
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
        onChange={setLibelle}
        error={wrong('libelle') ?? wrong('slug')}
      />
      <TextField
        label={words('types.position')}
        help={words('types.positionHelp')}
        isRequired
        inputMode="numeric"
        value={position}
        onChange={setPosition}
        error={isNumber ? wrong('position') : words('types.number')}
      />
    </EditDialog>
  )
}
