import { ListExport } from '@/components/export/list-export'

/** The export of a list: counted, counted up to a limit, and not counted. */
export function ExportSample() {
  const address = { search: 'filter[enabled]=true' }
  return (
    <div className="flex flex-wrap gap-2">
      {[{ total: 1_248 }, { total: 10_000, more: true }, {}].map((count) => (
        <ListExport key={JSON.stringify(count)} address={address} path="/setting/users/export" {...count} />
      ))}
    </div>
  )
}
