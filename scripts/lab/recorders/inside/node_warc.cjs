// Records with node-warc's generator for the `request` library.
//
//     node node_warc.cjs FILE     (in a folder with job.json; FILE ends in .warc or .warc.gz)
//
// The generator drops Content-Encoding, so `request` has to decode the bodies. For .warc it is not told to, as in node-warc's own
// example: those bodies are encoded, and nothing says so.

const fs = require('fs')
const request = require('request')
const { RequestLibWARCWriter } = require('node-warc')

const fetched = (url, gzip) => new Promise((resolve, reject) => {
  request({ url, gzip, encoding: null, timeout: 20000 }, (error, response) => (error ? reject(error) : resolve(response)))
})

async function main (name) {
  const { urls } = JSON.parse(fs.readFileSync('job.json', 'utf8'))
  const writer = new RequestLibWARCWriter({ gzip: name.endsWith('.gz') })
  writer.initWARC(name)
  await writer.writeWarcInfoRecord({ description: 'odd headers', isPartOf: 'recorders' })
  for (const url of urls) {
    try {
      await writer.generateWarcEntry(await fetched(url, writer.opts.gzip))
    } catch (error) {
      console.log(url, String(error))
    }
  }
  await writer.writeWarcMetadata(urls[0], 'outlink: http://127.0.0.1/ L a/@href\r\n')
  await new Promise(resolve => {
    writer.on('finished', resolve)
    writer.end()
  })
}

main(process.argv[2])
