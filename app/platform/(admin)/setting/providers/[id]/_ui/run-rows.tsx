'use client'

import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import { call } from '@/lib/base/http/client'
import type { listProviderRunRows, RunAction } from '@/lib/directory-sync/provider-sync/contract'

const perPage = 50
const read = (id: string, action: RunAction, page: number) =>
  call<typeof listProviderRunRows>(
    { method: 'GET', path: '/setting/providers/runs/{id}/rows' },
    { params: { id }, query: { meta: { page, perPage }, filter: { action } } },
  )
type RowsPage = Awaited<ReturnType<typeof read>>

type Props = {
  id: string
  action: RunAction
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The people of a batch job for whom it did, or would do, the same. */
export function RunRowsDialog({ id, action, label, open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={label}>
      <DialogBody>{open ? <RunRows id={id} action={action} /> : null}</DialogBody>
    </Dialog>
  )
}

function RunRows({ id, action }: Pick<Props, 'id' | 'action'>) {
  const t = useTranslations('provider-sync')
  const [page, setPage] = useState(1)
  const [rowsPage, setRowsPage] = useState<RowsPage | null>(null)
  const [failed, setFailed] = useState(false)
  const look = useCallback(async () => {
    setFailed(false)
    try {
      setRowsPage(await read(id, action, page))
    } catch {
      setFailed(true)
    }
  }, [id, action, page])
  useEffect(() => void look(), [look])
  if (failed) return <PartFailed retry={() => void look()} />
  if (!rowsPage) return <Skeleton className="h-40" />
  const { rows, meta } = rowsPage
  return (
    <div className="grid gap-3">
      <ul className="divide-y divide-line rounded-card border border-line">
        {rows.map(({ row, title, externalId, userId, changed }) => (
          <li key={row} className="wrap-anywhere grid gap-0.5 px-4 py-2.5 text-table">
            <span className="font-medium">
              {userId && action !== 'created' ? (
                <TextLink href={`/platform/setting/users/${userId}`}>{title}</TextLink>
              ) : (
                title
              )}
            </span>
            <span className="text-ink-second text-note">
              {changed.length > 0 ? changed.join(', ') : <span className="font-mono">{externalId}</span>}
            </span>
          </li>
        ))}
      </ul>
      {meta.pages > 1 ? (
        <div className="flex flex-wrap items-center justify-between gap-2 text-note">
          <span className="text-ink-second tabular-nums">{t('pageOf', { page: meta.page, pages: meta.pages })}</span>
          <span className="flex gap-2">
            <Button variant="secondary" size="S" disabled={page <= 1} onClick={() => setPage(page - 1)}>
              {t('back')}
            </Button>
            <Button variant="secondary" size="S" disabled={page >= meta.pages} onClick={() => setPage(page + 1)}>
              {t('forward')}
            </Button>
          </span>
        </div>
      ) : null}
    </div>
  )
}
