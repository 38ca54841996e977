import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { DocumentQuery } from '@/lib/documents/documents/contract'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { CreateDocument } from './_ui/document-parts'
import { Documents } from './_ui/documents'

export const generateMetadata = () => screenTitle('PlatformLibrariesDocuments')

/** The documents. */
export default async function DocumentsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesDocuments', DocumentQuery, searchParams)
  return (
    <ListPage name={list.name} texts="documents" action={list.mayWrite ? <CreateDocument /> : null} columns={5}>
      <Documents {...list} />
    </ListPage>
  )
}
