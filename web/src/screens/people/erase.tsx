import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import styles from './people.module.css'
import { type ErasedPerson, erasePerson, type PersonQuery, previewQuery } from './queries.ts'

type EraseProps = {
  asked: PersonQuery
  /** The address to type; null if none is certain. */
  name: string | null
  onClose: () => void
  onErased: (report: ErasedPerson) => void
}

/** Says what an erasure changes, and erases once the address, or a word, was typed. */
export function EraseDialog({ asked, name, onClose, onErased }: EraseProps) {
  const words = useTranslations('people')
  const preview = useQuery(previewQuery(asked))
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const erasing = useSubmit({ mutationFn: () => erasePerson(asked), onSuccess: onErased })
  const expected = name ?? words('erase.word')
  const submit = () => {
    const isSame = typed.trim().toLowerCase() === expected.toLowerCase()
    setWrong(!isSame)
    if (isSame && !erasing.isPending) erasing.submit()
  }
  const places = preview.data?.places ?? []
  return (
    <Dialog
      wide
      title={words('erase.title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('erase.cancel')}</Button>
          {places.length > 0 && (
            <Button look="danger" type="submit" form="erase" isPending={erasing.isPending}>
              {words('erase.action')}
            </Button>
          )}
        </>
      }
    >
      <QueryState query={preview} lines={6} />
      {preview.data && places.length === 0 && <Empty icon="check" title={words('erase.nothing')} />}
      {places.length > 0 && (
        <Form id="erase" onSubmit={submit}>
          <p>{words('erase.text')}</p>
          <dl className={styles.preview}>
            {places.map(({ name: place, title, rows, erasure }) => (
              <div key={place}>
                <dt>
                  {title} : {words('rows', { count: rows })}
                </dt>
                <dd>{erasure}</dd>
              </div>
            ))}
          </dl>
          <p>{words('erase.stays')}</p>
          <TextField
            label={words('erase.type', { expected })}
            isRequired
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            error={isWrong ? words('erase.wrong', { expected }) : null}
          />
          {erasing.isError && <ShownFailure error={erasing.error} />}
        </Form>
      )}
    </Dialog>
  )
}
