'use client'

import { useTranslations } from 'next-intl'
import { BulkBar } from '@/components/bulk/bulk-bar'
import { BulkBox } from '@/components/bulk/bulk-box'
import { BulkResults } from '@/components/bulk/bulk-results'
import { useSelection } from '@/components/bulk/selection'
import { ListTools } from '@/components/list/list-tools'
import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'

const names = ['Ракитина Ольга Фёдоровна', 'Новичков Лев Антонович', 'Ветров Семён Ильич']
const rows = names.map((label, index) => ({ id: `sample-${index}`, label, row: null }))
const list = 'gallery'

/** Rows that are chosen for an action on several, its progress, and the result of each. */
export function BulkSample() {
  const t = useTranslations('gallery.bulk')
  const tl = useTranslations('ui.list')
  const { choose } = useSelection(list)
  return (
    <div className="grid max-w-[44rem] grid-cols-[minmax(0,1fr)] gap-4">
      <BulkBar
        list={list}
        page={rows.slice(0, 2)}
        tools={
          <div className="flex min-h-9 items-center">
            <ListTools count={tl('total', { count: rows.length })}>{null}</ListTools>
          </div>
        }
      >
        <Button size="S" onClick={() => choose(rows, true)}>
          {t('act')}
        </Button>
      </BulkBar>
      <ul className="grid gap-2">
        {rows.map((row) => (
          <li key={row.id} className="flex min-h-9 items-center gap-3">
            <BulkBox list={list} row={row} />
            {row.label}
          </li>
        ))}
      </ul>
      <Progress label={t('progress')} done={12} total={40} />
      <BulkResults
        results={[
          { id: 'sample-0', code: null },
          { id: 'sample-1', code: 'requestDecided' },
          { id: 'sample-2', code: 'notSent' },
        ]}
        labelOf={(id) => rows.find((row) => row.id === id)?.label ?? id}
        done={t('done')}
      />
    </div>
  )
}
