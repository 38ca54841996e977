'use client'

import { useEffect } from 'react'
import { call } from '@/lib/kernel/http/client'
import type { LiveEvent } from '@/lib/kernel/live'
import type { reportDevice } from '@/lib/profile/device/contract'
import { isSigningOut } from '../ui/leaving'
import { followLive } from './live-stream'

/** What to do at each kind of event. */
const reactions: { [E in LiveEvent as E['event']]: (data: E['data']) => void } = {
  'session-ended'({ reason }) {
    // signed in anew in this browser: the page is looked at with the new session
    if (reason === 'replaced') return window.location.reload()
    const { pathname, search } = window.location
    const back = new URLSearchParams(reason === 'signedOut' ? {} : { ended: reason, path: pathname + search })
    window.location.replace(`/platform/login${back.size > 0 ? `?${back}` : ''}`)
  },
}

const told = 'device'

/** Tells once a browser tab what its screen is like, for the person's list of sessions. */
function tellDevice() {
  const { screen, innerWidth, innerHeight, devicePixelRatio } = window
  const body = {
    displaySize: `${screen.width}x${screen.height}`,
    displayWindowSize: `${innerWidth}x${innerHeight}`,
    displayZoom: devicePixelRatio,
  }
  const text = JSON.stringify(body)
  try {
    if (sessionStorage.getItem(told) === text) return
    sessionStorage.setItem(told, text)
  } catch {
    // no storage: it is told at each full load
  }
  const contract: Pick<typeof reportDevice, 'method' | 'path'> = { method: 'POST', path: '/user/profile/device' }
  call<typeof reportDevice>(contract, { body }).catch(() => {
    // the list of sessions says less, nothing else
  })
}

/** Keeps a page made for a session up to date: `<Live session={id} />`, once in each layout of protected pages. */
export function Live({ session }: { session: string }) {
  useEffect(() => {
    tellDevice()
    const stop = followLive(session, ({ event, data }) => {
      // the page is leaving: what comes after the first word of it would lead elsewhere
      if (event === 'session-ended') {
        stop()
        if (isSigningOut()) return
      }
      reactions[event](data)
    })
    return stop
  }, [session])
  return null
}
