import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { Row } from '../../../ui/layout.tsx'
import { useDeletedToast } from '../../deleted-toast.ts'
import { ShownFailure } from '../../shown-failure.tsx'
import { deleteView, saveView, type View, viewsQuery } from './queries.ts'

type ViewsProps<Search> = {
  /** Name of the list in the API. */
  list: string
  search: Search
  /** Reads the filters of a view, as from a URL. */
  read: (saved: Record<string, unknown>) => Search
  onOpen: (search: Search) => void
}

/** Saved filters: the user's own, and those that colleagues share. */
export function Views<Search extends object>({ list, search, read, onOpen }: ViewsProps<Search>) {
  const words = useTranslations('views')
  const client = useQueryClient()
  const sayDeleted = useDeletedToast()
  const views = useQuery(viewsQuery(list))
  const [name, setName] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([key, value]) =>
      key === 'page' || value === undefined ? [] : [[key, String(value)]],
    ),
  ).toString()
  const carryOut = (action: Promise<unknown>) => {
    setPending(true)
    void action
      .then(() => {
        setName(null)
        setError(null)
        return client.invalidateQueries(viewsQuery(list))
      }, setError)
      .finally(() => setPending(false))
  }
  const remove = ({ id, list, name, query, role }: View) => {
    const restore = () =>
      saveView({ list, name, query, role }).then(() => client.invalidateQueries(viewsQuery(list)))
    carryOut(deleteView(id).then(() => sayDeleted(words('deleted', { name }), restore)))
  }
  const saved = views.data ?? []
  if (saved.length === 0 && query === '') return null
  return (
    <Row>
      <Row as="ul" aria-label={words('title')}>
        {saved.map((view) => (
          <Row as="li" key={view.id}>
            <Button
              small
              look={view.query === query ? 'primary' : 'plain'}
              aria-pressed={view.query === query}
              onPress={() => onOpen(read(Object.fromEntries(new URLSearchParams(view.query))))}
            >
              {view.name}
            </Button>
            {view.mine && view.query === query && (
              <IconButton
                icon="close"
                label={words('delete', { name: view.name })}
                isPending={isPending}
                onPress={() => remove(view)}
              />
            )}
          </Row>
        ))}
      </Row>
      {query !== '' && !saved.some((view) => view.query === query) && (
        <Button small look="quiet" icon="star" onPress={() => setName('')}>
          {words('save')}
        </Button>
      )}
      {name === null && error !== null && <ShownFailure error={error} />}
      {name !== null && (
        <Dialog
          title={words('save')}
          isOpen
          onClose={() => setName(null)}
          actions={
            <Button
              look="primary"
              type="submit"
              form="view"
              isDisabled={name.trim() === ''}
              isPending={isPending}
            >
              {words('keep')}
            </Button>
          }
        >
          <Form
            id="view"
            onSubmit={() => {
              if (name.trim() !== '' && !isPending) carryOut(saveView({ list, name: name.trim(), query }))
            }}
          >
            <TextField
              label={words('name')}
              isRequired
              autoFocus
              maxLength={100}
              value={name}
              onChange={setName}
            />
          </Form>
          {error !== null && <ShownFailure error={error} />}
        </Dialog>
      )}
    </Row>
  )
}
