import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { DocumentQuery } from '@/lib/platform/documents/contract'
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
