package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/nsqio/nsq/nsqd"
)

func main() {
	options := nsqd.NewOptions()
	options.TCPAddress, options.HTTPAddress, options.DataPath = os.Args[1], os.Args[2], os.Args[3]
	options.HTTPSAddress = ""
	server, err := nsqd.New(options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("started")
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGINT, syscall.SIGTERM)
	go func() { <-ends; server.Exit() }()
	if err := server.Main(); err != nil {
		log.Fatal(err)
	}
}
