# The program in a container: Debian slim, and a static binary, with the feature `remote`.
#
#   docker build -t huller .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD":/data huller extract crawl -o corpus
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# With a target, so that flags are for the program and not for what runs during the build. glibc, whose allocator is faster than
# musl's. With `remote`, which looks up names of hosts: static glibc does that by the libraries of the image below, so both stages are of one
# Debian.
RUN target=$(rustc -vV | sed -n 's/^host: //p') \
    && RUSTFLAGS='-C target-feature=+crt-static' cargo build --release --locked -p huller-cli --features remote --target "$target" \
    && cp "target/$target/release/huller" /huller

FROM debian:bookworm-slim
# What servers of https:// are known by.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /huller /usr/local/bin/huller
COPY LICENSE-MIT LICENSE-APACHE NOTICE /usr/local/share/doc/huller/
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["huller"]
