'use client'

import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { call } from '@/lib/base/http/client'
import type { reportDevice } from '@/lib/my-account/device/contract'
import { noticesChanged } from '../notifications/feed'
import { TriangleAlert } from '../ui/icons'
import { isSigningOut } from '../ui/leaving'
import { followLive, type Heard } from './live-stream'
import { useFreshFrame } from './use-fresh-frame'
import { useReach } from './use-reach'

type Reactions = { [E in Heard as E['event']]: (data: E['data']) => void }

/** The reaction to each type of event, except the account's, which needs the page. */
const reactions: Omit<Reactions, 'account-changed'> = {
  'session-ended'({ reason }) {
    // the person signed in again in this browser: reload the page with the new session
    if (reason === 'replaced') return window.location.reload()
    const { pathname, search } = window.location
    const back = new URLSearchParams(reason === 'signedOut' ? {} : { ended: reason, path: pathname + search })
    window.location.replace(`/platform/login${back.size > 0 ? `?${back}` : ''}`)
  },
  'notices-changed': noticesChanged,
}

const deviceKey = 'device'

/** Reports the display once per browser tab, for the person's list of sessions. */
function tellDevice() {
  const { screen, innerWidth, innerHeight, devicePixelRatio } = window
  const body = {
    displaySize: `${screen.width}x${screen.height}`,
    displayWindowSize: `${innerWidth}x${innerHeight}`,
    displayZoom: devicePixelRatio,
  }
  const text = JSON.stringify(body)
  try {
    if (sessionStorage.getItem(deviceKey) === text) return
    sessionStorage.setItem(deviceKey, text)
  } catch {
    // without storage, the display is reported at each full load
  }
  const contract: Pick<typeof reportDevice, 'method' | 'path'> = { method: 'POST', path: '/user/profile/device' }
  call<typeof reportDevice>(contract, { body }).catch(() => {
    // only the list of sessions shows the display
  })
}

/**
 * Keeps a page of a session up to date: `<Live session={id} mark={mark} />`, once in each layout of protected pages;
 * `mark` is the frame version of the rendered page. It tells when there is no network.
 */
export function Live({ session, mark }: { session: string; mark: string }) {
  const t = useTranslations('shell.offline')
  const { there, reach } = useReach()
  const seeMark = useFreshFrame(mark)
  useEffect(() => {
    tellDevice()
    const stop = followLive(
      session,
      ({ event, data }) => {
        // the person is leaving the page: a later event would redirect elsewhere
        if (event === 'session-ended') {
          stop()
          if (isSigningOut()) return
        }
        if (event === 'account-changed') seeMark(data.mark)
        else (reactions[event] as (data: Heard['data']) => void)(data)
      },
      reach,
    )
    return stop
  }, [session, reach, seeMark])
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-40 flex justify-center sm:bottom-[max(1rem,env(safe-area-inset-bottom))] print:hidden"
    >
      {there ? null : (
        <p className="flex animate-arrive items-center gap-2.5 rounded-card border border-warning/25 bg-warning-tint px-4 py-2.5 text-table shadow-float">
          <TriangleAlert className="size-4.5 text-warning" />
          {t('open')}
        </p>
      )}
    </div>
  )
}
