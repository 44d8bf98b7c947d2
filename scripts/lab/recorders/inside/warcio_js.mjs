// Records with warcio.js: what `fetch` gives (the body decoded, the head as it came), or what `http` gives (both as they came).
//
//     node warcio_js.mjs FILE     (in a folder with job.json; FILE is fetch.warc, fetch.warc.gz or http.warc.gz)

import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

// Modules of this kind are not looked for in NODE_PATH.
const load = file => import(pathToFileURL(path.join(process.env.NODE_PATH, 'warcio', 'dist', file)))
const { WARCRecord } = await load('index.js')
const { WARCSerializer } = await load('node/index.js')

async function byFetch (url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(20000), redirect: 'manual' })
  const body = new Uint8Array(await answer.arrayBuffer())
  return { statusline: `HTTP/1.1 ${answer.status} ${answer.statusText}`, httpHeaders: [...answer.headers], body }
}

const byHttp = url => new Promise((resolve, reject) => {
  const asked = http.get(url, { timeout: 20000, insecureHTTPParser: true }, answer => {
    const parts = []
    const done = () => resolve({
      statusline: `HTTP/${answer.httpVersion} ${answer.statusCode} ${answer.statusMessage}`,
      httpHeaders: pairs(answer.rawHeaders),
      body: Buffer.concat(parts)
    })
    answer.on('data', part => parts.push(part))
    // A body that the server cuts is recorded as far as it came.
    answer.on('end', done)
    answer.on('error', done)
  })
  asked.on('error', reject)
})

const pairs = flat => flat.flatMap((name, at) => (at % 2 ? [] : [[name, flat[at + 1]]]))

async function main (name) {
  const { urls } = JSON.parse(fs.readFileSync('job.json', 'utf8'))
  const out = fs.createWriteStream(name)
  const gzip = name.endsWith('.gz')
  const fetched = name.startsWith('fetch') ? byFetch : byHttp
  const write = async record => out.write(await WARCSerializer.serialize(record, { gzip }))
  await write(WARCRecord.createWARCInfo({ filename: name, warcVersion: 'WARC/1.1' }, { software: 'warcio.js' }))
  for (const url of urls) {
    try {
      const { statusline, httpHeaders, body } = await fetched(url)
      const parts = (async function * () { yield body })()
      const options = { url, type: 'response', warcVersion: 'WARC/1.1', statusline, httpHeaders, date: new Date().toISOString() }
      await write(WARCRecord.create(options, parts))
    } catch (error) {
      console.log(url, String(error), String(error.cause))
    }
  }
  await new Promise(resolve => out.end(resolve))
}

await main(process.argv[2])
