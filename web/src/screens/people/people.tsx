import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '../../shell/drafts.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { EraseDialog } from './erase.tsx'
import { Exports } from './exports.tsx'
import { Found } from './found.tsx'
import styles from './people.module.css'
import { type ErasedPerson, type PersonQuery, personQuery } from './queries.ts'

const route = getRouteApi('/signed-in/people')
const account = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds a person everywhere, exports and erases their data. The URL keeps an account number; an address stays
 * on the device, because URLs are logged.
 */
export function PeopleScreen() {
  const words = useTranslations('people')
  const { user } = route.useSearch()
  const navigate = route.useNavigate()
  const [address, setAddress, clearAddress] = useDraft('people.address')
  const [typed, setTyped] = useState(user ?? address)
  const [isWrong, setWrong] = useState(false)
  const asked = user ? { user_id: user } : address ? { email: address } : null
  const search = () => {
    const text = typed.trim()
    const isAccount = account.test(text)
    setWrong(!isAccount && !/^\S+@\S+$/.test(text))
    if (isAccount) clearAddress()
    else if (/^\S+@\S+$/.test(text)) setAddress(text)
    else return
    void navigate({ search: isAccount ? { user: text.toLowerCase() } : {} })
  }
  return (
    <Page title={words('title')}>
      <search>
        <Form className={styles.search} onSubmit={search}>
          <TextField
            label={words('search')}
            help={words('searchHelp')}
            isRequired
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            error={isWrong ? words('wrong') : null}
          />
          <Button look="primary" icon="search" type="submit">
            {words('find')}
          </Button>
        </Form>
      </search>
      {asked && <Person key={JSON.stringify(asked)} asked={asked} />}
      <Exports />
    </Page>
  )
}

function Person({ asked: first }: { asked: PersonQuery }) {
  const words = useTranslations('people')
  const client = useQueryClient()
  const [also, setAlso] = useState<readonly string[]>([])
  const [isErasing, setErasing] = useState(false)
  const [erased, setErased] = useState<ErasedPerson | null>(null)
  const found = useQuery(personQuery(first))
  const asked = also.length > 0 ? { ...first, also: [...also] } : first
  if (found.isPending) return <Skeleton lines={8} />
  if (found.isError) return <ShownFailure error={found.error} onRetry={() => void found.refetch()} />
  const isNothingLeft =
    erased !== null &&
    found.data.places.length === 0 &&
    Object.values(found.data.unsure).every((some) => some.length === 0)
  return (
    <>
      {erased && (
        <Notice title={words('erased.title')} icon="check">
          <ul className={styles.erased}>
            {erased.places.map(({ name, title, rows }) => (
              <li key={name}>
                {title} : {words('rows', { count: rows })}
              </li>
            ))}
          </ul>
          <p>{words(isNothingLeft ? 'erased.nothingLeft' : 'erased.text')}</p>
        </Notice>
      )}
      {!isNothingLeft && (
        <Found
          person={found.data}
          asked={asked}
          also={also}
          onAlso={setAlso}
          onErase={() => setErasing(true)}
        />
      )}
      {isErasing && (
        <EraseDialog
          asked={asked}
          name={first.email ?? found.data.emails[0] ?? null}
          onClose={() => setErasing(false)}
          onErased={(report) => {
            setErasing(false)
            setErased(report)
            setAlso([])
            void client.invalidateQueries({ queryKey: ['users'] })
            void client.invalidateQueries({ queryKey: ['person-exports'] })
          }}
        />
      )}
    </>
  )
}
