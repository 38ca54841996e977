/**
 * The service worker. It stores one page, for times without a network, and caches nothing else, so nobody sees an old
 * page. Its address contains language, theme and domain style; another combination registers another worker.
 */
const worker = `
const cacheName = 'offline ' + self.location.search
const page = '/platform/offline'
self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(new Request(page, { cache: 'reload' }))))
})
self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
    await self.registration.navigationPreload?.enable()
  })())
})
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith((async () => {
    try {
      return (await event.preloadResponse) || (await fetch(event.request))
    } catch {
      return (await caches.match(page)) || Response.error()
    }
  })())
})
`

export const GET = () =>
  new Response(worker, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  })
