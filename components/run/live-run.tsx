'use client'

import { CirclePlay, CircleStop } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallError, call, callAddress } from '@/lib/kernel/http/client'
import type { Run, RunCalls } from '@/lib/kernel/runs/calls'
import { ActionButton } from '../form/action-button'
import { sends } from '../form/actions'
import { PartFailed } from '../ui/part-failed'
import { Skeleton } from '../ui/skeleton'
import { RunLog } from './run-log'

type Props = {
  id: string
  /** The path of the runs' calls, such as `/master-account/invitations/import`. */
  path: string
  /** Loads the calls that stop a run and let it go on. */
  calls: () => Promise<Pick<RunCalls, 'stop' | 'resume'>>
  title: string
  counts: (run: Run) => string
  /** What people should know while it works, such as that they may leave. */
  note?: string
}

type Shown = Awaited<ReturnType<typeof readRun>>
const readRun = (path: string, id: string) =>
  call<RunCalls['read']>({ method: 'GET', path: `${path}/{id}` }, { params: { id } })

/** Milliseconds between two looks at a run that works. */
const every = 1_000

/** A run that the page follows while it works: a hidden page doesn't ask, and one without a connection asks on. */
export function LiveRun({ id, path, calls, title, counts, note }: Props) {
  const t = useTranslations('runs')
  const [shown, setShown] = useState<Shown | null>(null)
  const [fault, setFault] = useState<CallError | null>(null)
  const look = useCallback(async () => {
    try {
      setShown(await readRun(path, id))
      setFault(null)
    } catch (error) {
      setFault(error instanceof CallError ? error : new CallError(0, 'techError', {}, undefined, undefined))
    }
  }, [path, id])
  const state = shown?.run.state
  const router = useRouter()
  const worked = useRef(false)
  useEffect(() => {
    // the page behind shows what the run has done
    if (worked.current && state !== 'running') router.refresh()
    worked.current = state === 'running'
  }, [state, router])
  const over = fault !== null && fault.status >= 400 && fault.status < 500
  useEffect(() => void look(), [look])
  useEffect(() => {
    if ((state && state !== 'running') || over) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), every)
    return () => clearInterval(timer)
  }, [state, over, look])

  if (!shown) return fault ? <PartFailed retry={() => void look()} /> : <Skeleton className="h-36" />
  const input = { params: { id } }
  const done = { onDone: () => void look() }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RunLog
        {...shown}
        title={title}
        counts={counts}
        download={callAddress(`${path}/{id}/faults`, input)}
        actions={
          state === 'running' ? (
            <ActionButton
              action={{
                kind: 'call',
                label: t('stop'),
                icon: CircleStop,
                sends: sends(() => calls().then((all) => all.stop), input, done),
              }}
            />
          ) : state === 'stopped' ? (
            <ActionButton
              variant="primary"
              action={{
                kind: 'call',
                label: t('resume'),
                icon: CirclePlay,
                sends: sends(() => calls().then((all) => all.resume), input, done),
              }}
            />
          ) : null
        }
      />
      {note && state === 'running' ? <p className="text-ink-second text-note">{note}</p> : null}
      <p role="status" className="text-ink-second text-note empty:hidden">
        {fault ? t('lost') : ''}
      </p>
    </div>
  )
}
