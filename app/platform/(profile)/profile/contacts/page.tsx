import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { ContactQuery } from '@/lib/people/colleagues/contract'
import { Contacts } from './_ui/contacts'

export const generateMetadata = () => screenTitle('UserProfileContacts')

/** The colleagues of the person, and whom the companies that they manage have invited. */
export default async function ContactsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('UserProfileContacts', ContactQuery, searchParams)
  return (
    <ListPage name={list.name} texts="contacts" columns={4}>
      <Contacts {...list} />
    </ListPage>
  )
}
