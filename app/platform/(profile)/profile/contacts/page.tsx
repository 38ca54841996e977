import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { ContactQuery } from '@/lib/companies/colleagues/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { Contacts } from './_ui/contacts'

export const generateMetadata = () => screenTitle('UserProfileContacts')

/** The colleagues of the person, and the invitees of the companies that they manage. */
export default async function ContactsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('UserProfileContacts', ContactQuery, searchParams)
  return (
    <ListPage name={list.name} texts="contacts" columns={4}>
      <Contacts {...list} />
    </ListPage>
  )
}
